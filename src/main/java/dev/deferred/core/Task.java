package dev.deferred.core;

import java.util.Objects;

/**
 * A piece of work with the time it is due.
 *
 * @param id the same through every hop, retry and parking
 * @param type which handler it is for, such as {@code order-timeout}
 * @param routingKey the destination's routing key; normally the type
 * @param scheduledAtMillis when it was accepted, epoch milliseconds of the accepting service's clock
 * @param dueAtMillis when it is to run, epoch milliseconds; in the past when it was late already when accepted
 * @param attempt which attempt to run it is next, from 1
 * @param payload its content
 */
public record Task(
        TaskId id,
        String type,
        String routingKey,
        long scheduledAtMillis,
        long dueAtMillis,
        int attempt,
        Payload payload) {
    public Task {
        Objects.requireNonNull(id);
        Objects.requireNonNull(type);
        Objects.requireNonNull(routingKey);
        Objects.requireNonNull(payload);
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, not from " + attempt);
        }
    }

    /** A new task, on its first attempt, routed by its type. */
    public static Task first(TaskId id, String type, long scheduledAtMillis, long dueAtMillis, Payload payload) {
        return new Task(id, type, type, scheduledAtMillis, dueAtMillis, 1, payload);
    }

    /** How long until it is due, in milliseconds; negative when it is late. */
    public long leftMillis(long nowMillis) {
        return dueAtMillis - nowMillis;
    }

    /** Whether it was due already when it was accepted. */
    public boolean late() {
        return dueAtMillis < scheduledAtMillis;
    }
}
