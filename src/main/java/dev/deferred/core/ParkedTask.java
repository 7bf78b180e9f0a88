package dev.deferred.core;

import java.util.Objects;
import java.util.Optional;

/**
 * What is noted of a task, or of a message that is no task, when it is parked; all but its payload.
 *
 * @param id its message-id
 * @param type which handler it is for; its routing key where nobody said
 * @param routingKey its routing key
 * @param exchange where it goes when it comes back, where that is not the exchange of all tasks
 * @param reason why it was parked, as one of a closed set such as {@code unknown-type}
 * @param detail why, in words
 * @param attempts how often it was tried; empty when it is no task
 * @param dueAtMillis when it was to run, epoch milliseconds; empty when it is no task
 * @param scheduledAtMillis when it was accepted, epoch milliseconds; empty when it is no task
 * @param parkedAtMillis when it was parked, epoch milliseconds
 * @param contentType its payload's media type; empty when nobody said
 * @param payloadBytes how long its payload is
 */
public record ParkedTask(
        String id,
        String type,
        String routingKey,
        Optional<String> exchange,
        String reason,
        String detail,
        Optional<Attempts> attempts,
        Optional<Long> dueAtMillis,
        Optional<Long> scheduledAtMillis,
        long parkedAtMillis,
        String contentType,
        long payloadBytes) {
    public ParkedTask {
        Objects.requireNonNull(id);
        Objects.requireNonNull(type);
        Objects.requireNonNull(routingKey);
        Objects.requireNonNull(exchange);
        Objects.requireNonNull(reason);
        Objects.requireNonNull(detail);
        Objects.requireNonNull(attempts);
        Objects.requireNonNull(dueAtMillis);
        Objects.requireNonNull(scheduledAtMillis);
        Objects.requireNonNull(contentType);
    }
}
