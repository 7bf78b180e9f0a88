package dev.deferred.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deferred.scheduling.ParkedList;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A page of what is parked. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ParkedPage(
        @Schema(description = "How many messages are ready in the parking queue", required = true) long parked,
        @Schema(description = "How many the whole list has: the newest, 1000 at most", required = true) int listed,
        @Schema(
                        description =
                                "How many parked messages at least are not in the list: parked by the broker itself, or"
                                        + " older than what the list keeps",
                        required = true)
                long unlisted,
        @Schema(
                        description =
                                "How many of the list at least are no longer ready in the queue: a consumer has them, or took"
                                        + " them out",
                        required = true)
                long taken,
        @Schema(description = "Newest first", required = true) List<ParkedAnswer> tasks,
        @Schema(description = "The value of `before` for the next page; absent on the last", examples = "1041")
                String next) {
    static ParkedPage of(ParkedList list) {
        return new ParkedPage(
                list.waiting(),
                list.listed(),
                Math.max(0, list.waiting() - list.listed()),
                Math.max(0, list.listed() - list.waiting()),
                list.tasks().stream().map(ParkedAnswer::of).toList(),
                list.next().isPresent() ? String.valueOf(list.next().getAsLong()) : null);
    }
}
