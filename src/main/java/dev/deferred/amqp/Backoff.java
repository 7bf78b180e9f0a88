package dev.deferred.amqp;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waiting times that double from a first one up to a cap, each with up to a fifth of random spread. Not thread-safe. */
public final class Backoff {
    private final long firstMillis;
    private final long capMillis;
    private final RandomGenerator random;
    private long nextMillis;

    /**
     * Waiting times from the first to the cap.
     *
     * @param first the first waiting time, 1 ms or more
     * @param cap no waiting time is longer than this, spread aside
     */
    public Backoff(Duration first, Duration cap, RandomGenerator random) {
        this.firstMillis = first.toMillis();
        this.capMillis = cap.toMillis();
        this.random = random;
        this.nextMillis = firstMillis;
    }

    static Backoff toReconnect() {
        return new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5), RandomGenerator.getDefault());
    }

    /** The next waiting time. */
    public Duration next() {
        long base = nextMillis;
        nextMillis = Math.min(capMillis, base * 2);
        return Duration.ofMillis(base + random.nextLong(base / 5 + 1));
    }

    /** The next waiting time, but no shorter than that many milliseconds. */
    Duration nextAtLeast(long millis) {
        nextMillis = Math.min(capMillis, Math.max(nextMillis, millis));
        return next();
    }

    /** Starts from the first waiting time again. */
    public void reset() {
        nextMillis = firstMillis;
    }
}
