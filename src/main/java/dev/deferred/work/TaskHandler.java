package dev.deferred.work;

import dev.deferred.core.Outcome;
import dev.deferred.core.RetryPolicy;
import dev.deferred.core.Task;
import io.smallrye.mutiny.Uni;

/**
 * Does the work of one type of task. Make it a CDI bean ({@code @ApplicationScoped}); it is found and checked at start-up.
 *
 * <p>A task runs at least once: after a crash or a lost connection it runs again under the same {@link Task#id()}, so make its
 * effect the same when it is repeated. {@code handle} runs on a worker thread and may block; annotate the class with
 * {@link io.smallrye.common.annotation.NonBlocking} when it never does.
 *
 * @param <T> what the payload is read as: {@code byte[]} untouched, {@code String} as UTF-8, any other class as JSON
 */
public interface TaskHandler<T> {
    /** The type of task it is for: see {@link dev.deferred.core.TaskType}. No two handlers share one. */
    String type();

    /** What the payload is read as. */
    Class<T> payloadType();

    /**
     * How its tasks are tried again when they fail. What is configured for its type weighs more.
     *
     * @param standard the policy configured for all types
     */
    default RetryPolicy retryPolicy(RetryPolicy standard) {
        return standard;
    }

    /**
     * Does the work.
     *
     * @param payload the payload
     * @param task its id, attempt and times
     * @return how it ended; a thrown exception or a failed {@code Uni} is a failure, as is taking longer than
     *     {@code deferred.work.time-limit}
     */
    Uni<Outcome> handle(T payload, Task task);
}
