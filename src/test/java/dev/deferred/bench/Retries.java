package dev.deferred.bench;

import static org.awaitility.Awaitility.await;

import dev.deferred.bench.handlers.FailsAtFirst;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/**
 * How many retries a second: tasks whose handler fails {@value #FAILURES} times at once and then is done. Beside it, in turns, a
 * worker of the bare client that does with TTL and dead-letter exchange what people do: publishes a copy into a retry queue and
 * acknowledges the original when that is confirmed.
 */
final class Retries {
    static final int FAILURES = 9;

    /** How long a failed task waits: the smallest tier. */
    static final Duration DELAY = Duration.ofMillis(10);

    /** The service's default, for the bare client too. */
    static final int PREFETCH = 100;

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Options options;
    private final HttpLoad http;
    private final Counters counters;
    private final BareWorker bare;

    Retries(Options options, HttpLoad http, Counters counters, BareWorker bare) {
        this.options = options;
        this.http = http;
        this.counters = counters;
        this.bare = bare;
    }

    /** What the service needs to be told. */
    static Map<String, String> settings() {
        return Map.of(
                "deferred.retry.max-attempts",
                String.valueOf(FAILURES + 1),
                "deferred.retry.delay",
                DELAY.toMillis() + "ms",
                "deferred.retry.factor",
                "1",
                "deferred.retry.jitter",
                "0");
    }

    void run(PrintStream out) throws IOException {
        ofService();
        bare.run(options.failing());
        double[] service = new double[options.rounds()];
        double[] client = new double[options.rounds()];
        double[] ratio = new double[options.rounds()];
        for (int round = 0; round < options.rounds(); round++) {
            service[round] = retries(ofService());
            client[round] = retries(bare.run(options.failing()));
            ratio[round] = service[round] / client[round];
        }
        Figures.print(out, "retries, each confirmed and through a tier", "%,.0f/s", Arrays.stream(service));
        Figures.print(out, "retries of a worker of the bare client", "%,.0f/s", Arrays.stream(client));
        Figures.print(out, "  service / bare", "%.2f", Arrays.stream(ratio));
    }

    private static double retries(Pace tasks) {
        return tasks.perSecond() * FAILURES;
    }

    private Pace ofService() {
        long goal = done() + options.failing();
        byte[] request = Messages.request(FailsAtFirst.TYPE, Duration.ZERO, String.valueOf(FAILURES));
        long began = System.nanoTime();
        http.run(() -> request, options.failing());
        await("all to be done").atMost(LIMIT).pollInterval(LOOK).until(() -> done() >= goal);
        return new Pace(options.failing(), Duration.ofNanos(System.nanoTime() - began));
    }

    private long done() {
        return counters.sum("deferred_handled_seconds_count", labels -> labels.contains("outcome=\"done\""));
    }
}
