package dev.deferred.http;

import dev.deferred.core.Destination;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import dev.deferred.scheduling.NewTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a caller asks for.
 *
 * @param type which handler the task is for
 * @param due when it is to run
 * @param destination where it goes when it is due; empty for the exchange of all tasks, by its type
 * @param payload its content, byte for byte as it stands in the request; 0 bytes when the request has none
 */
record TaskRequest(String type, Due due, Optional<Destination> destination, Payload payload) {
    /** When a task is to run, in the caller's words. */
    sealed interface Due {
        /** After a delay. */
        record After(Duration delay) implements Due {}

        /** At an instant. */
        record At(Instant instant) implements Due {}
    }

    /**
     * The task that is asked for.
     *
     * @throws dev.deferred.scheduling.InvalidTask when it breaks a rule or a limit
     */
    Task task(TaskId id, NewTasks newTasks) {
        Task task = due instanceof Due.After after
                ? newTasks.after(id, type, after.delay(), payload)
                : newTasks.at(id, type, ((Due.At) due).instant(), payload);
        return destination.map(asked -> newTasks.to(asked, task)).orElse(task);
    }
}
