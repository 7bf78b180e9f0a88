package dev.deferred.testing;

import java.time.Instant;

/**
 * A time in which a fault was at work; {@code to} is the instant at which its cause had been taken away.
 *
 * @param what the fault, for messages
 */
public record Disturbance(String what, Instant from, Instant to) {
    /** Whether the fault was at work between a request and its answer. */
    public boolean met(Produced task) {
        return touches(task.sentAt(), task.sentAt().plus(task.took()));
    }

    /** Whether any of it lies between two instants, both included. */
    boolean touches(Instant begin, Instant end) {
        return !from.isAfter(end) && !to.isBefore(begin);
    }
}
