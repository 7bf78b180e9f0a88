package dev.deferred.bench;

import dev.deferred.testing.Command;
import java.util.function.Supplier;

/** Which cores processes may run on; of Linux. */
final class Cores {
    private static final int ALL = Runtime.getRuntime().availableProcessors();

    private Cores() {}

    /**
     * Starts something on the first cores and leaves it there alone: this process, and what it starts later, has the others.
     *
     * @param first how many; 0 to share them all
     */
    static <T> T apart(int first, Supplier<T> start) {
        if (first == 0) {
            return start.get();
        }
        if (first < 0 || first >= ALL) {
            throw new IllegalArgumentException(
                    "--broker-cores is " + first + ", but must leave one of the " + ALL + " cores to others");
        }
        moveTo(0, first - 1);
        T started = start.get();
        moveTo(first, ALL - 1);
        return started;
    }

    /** What a process inherits that is started from now on. */
    private static void moveTo(int from, int to) {
        Command.run(
                "taskset",
                "--all-tasks",
                "--pid",
                "--cpu-list",
                from + "-" + to,
                String.valueOf(ProcessHandle.current().pid()));
    }
}
