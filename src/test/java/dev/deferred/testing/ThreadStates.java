package dev.deferred.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Whether a process has stopped after SIGSTOP. The signal only asks for it: on a busy machine a thread may run on for a
 * while, and a broker that is meant to be frozen would still answer.
 */
final class ThreadStates {
    private static final char STOPPED = 'T';

    private ThreadStates() {}

    /** Whether every thread of the process is stopped; false too if a thread ended while this looked. */
    static boolean allStopped(Process process) {
        Path threads = Path.of("/proc/%d/task".formatted(process.pid()));
        if (!Files.isDirectory(threads)) { // not Linux
            return Command.run("ps", "-o", "state=", "-p", String.valueOf(process.pid()))
                    .startsWith(String.valueOf(STOPPED));
        }
        var states = new ArrayList<Character>();
        try (var entries = Files.newDirectoryStream(threads)) {
            for (Path thread : entries) {
                states.add(state(Files.readString(thread.resolve("stat"))));
            }
        } catch (NoSuchFileException threadEnded) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("The states of the threads in %s are unreadable".formatted(threads), e);
        }
        return states.stream().allMatch(state -> state == STOPPED);
    }

    /** The state follows the program's name, which stands in parentheses and may contain any. */
    private static char state(String stat) {
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }
}
