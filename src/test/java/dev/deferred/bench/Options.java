package dev.deferred.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How much is measured. The defaults take about eight minutes.
 *
 * @param warmUp how many tasks each side takes before anything counts: below 75,000 the JVM still compiles
 * @param rounds alternating rounds of scheduling and of bare publishing, 1 or more
 * @param round how long a round of one side takes
 * @param concurrency requests in flight, and the bare client's window
 * @param lateness how long tasks are scheduled to measure lateness, on each side, after 10 s to warm up
 * @param perSecond how many tasks a second then, 1 to 1000
 * @param step how long a step of delays between tiers takes: tasks a second double with each step
 * @param mostPerSecond how many tasks a second at most then
 * @param failing how many tasks fail in a round of retries; 0 leaves them out
 * @param brokerCores how many cores the private node has for itself, as if it were another machine; 0 shares all of them
 * @param pending how many tasks wait when the heap is measured last, after none and half as many; 0 to leave that out
 */
record Options(
        int warmUp,
        int rounds,
        Duration round,
        int concurrency,
        Duration lateness,
        int perSecond,
        int pending,
        Duration step,
        int mostPerSecond,
        int failing,
        int brokerCores) {
    static final String USAGE =
            """
            script/bench [--name=value ...]
              --warm-up=75000     tasks that each side takes before anything counts; with less the JVM still compiles
              --rounds=5          alternating rounds of scheduling over HTTP and of bare publishing
              --round=4           seconds of a round of one side
              --concurrency=64    requests in flight, and unconfirmed messages of the bare client
              --lateness=20       seconds of traffic to measure lateness, on each side; 0 leaves it out
              --per-second=200    tasks a second while lateness is measured
              --pending=100000    tasks that wait when the heap is measured last; 0 leaves it out
              --step=15           seconds of traffic of delays between tiers at one rate; 0 leaves that out
              --most-per-second=3200   where such rates end, which begin with --per-second and double
              --failing=1000      tasks that fail nine times in a round of retries; 0 leaves that out
              --broker-cores=0    cores that only the private node has, as if it were another machine; 0 shares all
            """;

    /**
     * Reads arguments such as {@code --rounds=3}.
     *
     * @throws IllegalArgumentException for an argument that is unknown or no whole number
     */
    static Options parse(String... arguments) {
        Map<String, Integer> given = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("\"" + argument + "\" is not of the form --name=value");
            }
            given.put(argument.substring(2, equals), Integer.valueOf(argument.substring(equals + 1)));
        }
        Options options = new Options(
                number(given, "warm-up", 75_000),
                Math.max(1, number(given, "rounds", 5)),
                seconds(given, "round", 4),
                number(given, "concurrency", 64),
                seconds(given, "lateness", 20),
                number(given, "per-second", 200),
                number(given, "pending", 100_000),
                seconds(given, "step", 15),
                number(given, "most-per-second", 3_200),
                number(given, "failing", 1_000),
                number(given, "broker-cores", 0));
        if (!given.isEmpty()) {
            throw new IllegalArgumentException("unknown: " + given.keySet());
        }
        return options;
    }

    private static Duration seconds(Map<String, Integer> given, String name, int otherwise) {
        return Duration.ofSeconds(number(given, name, otherwise));
    }

    private static int number(Map<String, Integer> given, String name, int otherwise) {
        Integer number = given.remove(name);
        return number == null ? otherwise : number;
    }
}
