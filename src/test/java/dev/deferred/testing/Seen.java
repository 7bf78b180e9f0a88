package dev.deferred.testing;

import java.time.Instant;

/**
 * A delivery of a task that a test saw.
 *
 * @param ref the test's own name for the task, from its payload
 * @param taskId the message id
 * @param when when it arrived
 * @param attempt the attempt that it is, from 1
 * @param place where it came out
 */
public record Seen(String ref, String taskId, Instant when, long attempt, Place place) {
    /** Where a task can come out. */
    public enum Place {
        DESTINATION,
        PARKED
    }
}
