package dev.deferred.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deferred.core.Attempts;
import dev.deferred.core.Failure;
import dev.deferred.core.ParkedTask;
import dev.deferred.scheduling.Destinations;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What is known of a parked task; what is not known is absent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "ParkedTask")
record ParkedAnswer(
        @Schema(description = "The same as when it was scheduled", required = true) String id,
        @Schema(examples = "order-timeout", required = true) String type,
        @Schema(examples = "order-timeout", required = true) String routingKey,
        @Schema(
                        description = "Where it goes when it is replayed, where that is not the exchange of all tasks;"
                                + " after a handler had it, one that leads to handlers only",
                        examples = "orders")
                String exchange,
        @Schema(description = "Why it was parked, as one of a closed set", examples = "failed", required = true)
                String reason,
        @Schema(description = "Why, in words", required = true) String detail,
        @Schema(description = "Which attempt it was on, from 1", examples = "5") Integer attempts,
        ParkedFailure firstFailure,
        ParkedFailure lastFailure,
        @Schema(description = "When it was to run", format = "date-time") String dueAt,
        @Schema(description = "When it was accepted", format = "date-time") String scheduledAt,
        @Schema(format = "date-time", required = true) String parkedAt,
        @Schema(examples = "application/json") String contentType,
        @Schema(description = "How long its payload is, which stays in the parking queue", required = true)
                long payloadBytes) {
    /** One failed attempt. */
    @Schema(name = "ParkedFailure", description = "A failed attempt")
    record ParkedFailure(
            @Schema(examples = "java.io.IOException: connection refused", required = true) String failure,
            @Schema(format = "date-time", required = true) String at) {
        static ParkedFailure of(Failure failure) {
            return new ParkedFailure(failure.text(), Instants.write(failure.atMillis()));
        }
    }

    static ParkedAnswer of(ParkedTask task) {
        Optional<Attempts> attempts = task.attempts();
        return new ParkedAnswer(
                task.id(),
                task.type(),
                task.routingKey(),
                task.exchange()
                        .map(name -> name.isEmpty() ? Destinations.DEFAULT_EXCHANGE : name)
                        .orElse(null),
                task.reason(),
                task.detail(),
                attempts.map(Attempts::next).orElse(null),
                attempts.flatMap(Attempts::first).map(ParkedFailure::of).orElse(null),
                attempts.flatMap(Attempts::last).map(ParkedFailure::of).orElse(null),
                task.dueAtMillis().map(Instants::write).orElse(null),
                task.scheduledAtMillis().map(Instants::write).orElse(null),
                Instants.write(task.parkedAtMillis()),
                task.contentType().isEmpty() ? null : task.contentType(),
                task.payloadBytes());
    }
}
