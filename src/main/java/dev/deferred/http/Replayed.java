package dev.deferred.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deferred.amqp.TakenOut;
import dev.deferred.scheduling.ReplayedTasks;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What was sent back to work. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Replayed(
        @Schema(description = "How many tasks were sent back to work", examples = "12", required = true) int replayed,
        @Schema(description = "Whether more of them may be parked", required = true) boolean moreLeft,
        @Schema(
                        description =
                                "Of how many messages of that type no task can be made: they stay parked, and each says why"
                                        + " when it is replayed by its id",
                        required = true)
                int skipped,
        @Schema(description = "What to do about those that are left; absent when none are") String detail) {
    static Replayed of(TakenOut taken) {
        return of(taken, 0);
    }

    static Replayed of(ReplayedTasks tasks) {
        return of(tasks.taken(), tasks.skipped());
    }

    private static Replayed of(TakenOut taken, int skipped) {
        String detail =
                switch (taken.end()) {
                    case ENOUGH, SEARCHED -> null;
                    case SHARED ->
                        "another consumer of the parking queue may have some in hand: repeat the request when it is done";
                    case CUT_OFF -> "the time for one request is over: repeat the request";
                    case FAILED, BUSY ->
                        "the broker did not take the next one, which is still parked, or went away before it knew that the last"
                                + " ones are parked no more, so that they may run twice: repeat the request when /q/health/ready"
                                + " says that all is well";
                };
        return new Replayed(taken.count(), detail != null, skipped, detail);
    }
}
