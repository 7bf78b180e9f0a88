package dev.deferred.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deferred.core.Task;
import dev.deferred.scheduling.Scheduled;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The answer to an accepted task.
 *
 * @param late true when its instant was past already; absent otherwise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TaskAccepted(
        @Schema(
                        description = "The same through every hop and retry",
                        examples = "01a22ebe-c1c3-7f76-ba46-994fa6df8da5",
                        required = true)
                String id,
        @Schema(examples = "order-timeout", required = true) String type,
        @Schema(format = "date-time", examples = "2026-12-01T10:30:00.000Z", required = true) String dueAt,
        @Schema(
                        description = "The service's time of acceptance",
                        format = "date-time",
                        examples = "2026-12-01T10:00:00.000Z",
                        required = true)
                String scheduledAt,
        @Schema(
                        description =
                                "The tier it waits in first, or gate when it is due sooner than any tier could hold it",
                        examples = "30m",
                        required = true)
                String via,
        @Schema(description = "True when the instant was past already; absent otherwise") Boolean late) {
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
