package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import dev.deferred.core.TaskId;

/** A task that the broker did not confirm: its id, and what is known of it. */
final class NotScheduled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final TaskId id;
    private final PublishFailure failure;

    NotScheduled(TaskId id, PublishFailure failure) {
        // an expected outcome: no stack trace, no suppression
        super(failure.getMessage(), failure, false, false);
        this.id = id;
        this.failure = failure;
    }

    TaskId id() {
        return id;
    }

    PublishFailure failure() {
        return failure;
    }
}
