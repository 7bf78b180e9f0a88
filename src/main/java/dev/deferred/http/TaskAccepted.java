package dev.deferred.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deferred.core.Task;
import dev.deferred.scheduling.Scheduled;

/**
 * The answer to an accepted task.
 *
 * @param late true when its instant was past already; absent otherwise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TaskAccepted(String id, String type, String dueAt, String scheduledAt, String via, Boolean late) {
    static TaskAccepted of(Scheduled scheduled) {
        Task task = scheduled.task();
        return new TaskAccepted(
                task.id().value(),
                task.type(),
                Instants.write(task.dueAtMillis()),
                Instants.write(task.scheduledAtMillis()),
                scheduled.via(),
                task.late() ? Boolean.TRUE : null);
    }
}
