package dev.deferred.scheduling;

import dev.deferred.core.Task;

/**
 * A task that the broker holds.
 *
 * @param via the tier it waits in first, such as {@code 30m}, or {@code gate} when less than the smallest tier is left
 */
public record Scheduled(Task task, String via) {}
