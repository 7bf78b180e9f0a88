package dev.deferred.core;

import java.util.Objects;

/**
 * A piece of work with the time it is due.
 *
 * @param id the same through every hop, retry and parking
 * @param type which handler it is for, such as {@code order-timeout}
 * @param destination where it goes when it is due; normally the exchange of all tasks, with the type as routing key
 * @param scheduledAtMillis when it was accepted, epoch milliseconds of the accepting service's clock
 * @param dueAtMillis when it is to run, epoch milliseconds; in the past when it was late already when accepted
 * @param attempts how often it was tried
 * @param payload its content
 * @param attached what an application attached to it
 */
public record Task(
        TaskId id,
        String type,
        Destination destination,
        long scheduledAtMillis,
        long dueAtMillis,
        Attempts attempts,
        Payload payload,
        Attached attached) {
    public Task {
        Objects.requireNonNull(id);
        Objects.requireNonNull(type);
        Objects.requireNonNull(destination);
        Objects.requireNonNull(attempts);
        Objects.requireNonNull(payload);
        Objects.requireNonNull(attached);
    }

    /** A new task, on its first attempt, routed by its type. */
    public static Task first(TaskId id, String type, long scheduledAtMillis, long dueAtMillis, Payload payload) {
        return new Task(
                id,
                type,
                Destination.tasks(type),
                scheduledAtMillis,
                dueAtMillis,
                Attempts.NONE,
                payload,
                Attached.NOTHING);
    }

    /** The same task, for another destination. */
    public Task to(Destination other) {
        return new Task(id, type, other, scheduledAtMillis, dueAtMillis, attempts, payload, attached);
    }

    /** The same task, due at another time. */
    public Task dueAt(long otherMillis) {
        return new Task(id, type, destination, scheduledAtMillis, otherMillis, attempts, payload, attached);
    }

    /** The same task, tried that often. */
    public Task tried(Attempts other) {
        return new Task(id, type, destination, scheduledAtMillis, dueAtMillis, other, payload, attached);
    }

    /** The same task, as if it were scheduled now for now: no attempt was made, and it has no age. */
    public Task renewed(long nowMillis) {
        return new Task(id, type, destination, nowMillis, nowMillis, Attempts.NONE, payload, attached);
    }

    /** Which attempt is next, from 1; while a handler runs, which one it is. */
    public int attempt() {
        return attempts.next();
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
