package dev.deferred.core;

import java.time.Duration;

/**
 * One rung of the ladder: a queue that holds every message for exactly the same time.
 *
 * @param name how the delay is written, such as {@code 30m}; part of the names of the tier's queue and channel
 * @param delay how long the queue holds a message: from 1 ms to {@link Delays#MAX}
 */
public record Tier(String name, Duration delay) {
    public Tier {
        if (delay.toMillis() < 1 || delay.compareTo(Delays.MAX) > 0) {
            throw new IllegalArgumentException(
                    "a tier holds its tasks for 1ms to " + Delays.format(Delays.MAX) + ", not for " + name);
        }
    }

    /** The tier of that delay, named in the one canonical way: {@code 90s} and {@code 1m30s} are the same tier. */
    public static Tier of(Duration delay) {
        return new Tier(Delays.format(delay), delay);
    }

    /** The delay in milliseconds, as RabbitMQ counts a queue's TTL. */
    public long millis() {
        return delay.toMillis();
    }
}
