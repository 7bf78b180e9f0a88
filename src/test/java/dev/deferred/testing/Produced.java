package dev.deferred.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A task that a test asked for, and what it was told.
 *
 * @param ref the test's own name for the task, carried in its payload
 * @param taskId the id in the answer, when there was one
 * @param sentAt when the request left
 * @param dueAt earliest instant at which the task may run: the later of what was asked for and what was answered
 * @param answer what the service said
 * @param took time from the request to its answer
 * @param detail status and body of the answer, or the error, for messages
 */
public record Produced(
        String ref,
        Optional<String> taskId,
        Instant sentAt,
        Instant dueAt,
        Answer answer,
        Duration took,
        String detail) {
    /** What became of a request. */
    public enum Answer {
        /** 202: the task must run. */
        ACCEPTED,
        /** A well-formed 503: the task may run. */
        REFUSED,
        /** The connection ended without an answer, as when the service dies: the task may run. */
        UNKNOWN,
        /** No answer within the deadline: always an error. */
        HUNG,
        /** Any other answer: always an error. */
        UNEXPECTED
    }
}
