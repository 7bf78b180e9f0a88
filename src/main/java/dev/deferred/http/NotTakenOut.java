package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import dev.deferred.amqp.TakenOut;
import dev.deferred.http.RequestRefused.Fault;
import dev.deferred.scheduling.InvalidTask;

/** A parked message that could neither be replayed nor discarded, because of the broker: it is still parked. */
final class NotTakenOut extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final PublishFailure failure;

    NotTakenOut(PublishFailure failure) {
        // an expected outcome: no stack trace, no suppression
        super(failure.getMessage(), failure, false, false);
        this.failure = failure;
    }

    PublishFailure failure() {
        return failure;
    }

    /** Why nothing was taken out. */
    static RuntimeException why(TakenOut taken) {
        return switch (taken.end()) {
            case ENOUGH, SEARCHED ->
                new RequestRefused(
                        Fault.NO_RECORD,
                        "no message with this id is parked: it was replayed, discarded, taken out by a consumer, or never"
                                + " parked. GET /parked lists what is");
            case SHARED ->
                new RequestRefused(
                        Fault.QUEUE_IN_USE,
                        "no message with this id is ready in the parking queue, but another consumer may have it in hand."
                                + " Repeat the request when that is done");
            case CUT_OFF ->
                new RequestRefused(
                        Fault.QUEUE_IN_USE,
                        "no message with this id is among the oldest in the parking queue, and the time for one request is"
                                + " over. Replay by type, or empty the queue of what lies before it");
            case BUSY ->
                new RequestRefused(
                        Fault.QUEUE_IN_USE,
                        "another request looks through the parking queue. Repeat this one afterwards");
            case FAILED -> why(taken.failure().orElseThrow());
        };
    }

    private static RuntimeException why(Throwable failure) {
        if (failure instanceof PublishFailure publish) {
            return new NotTakenOut(publish);
        }
        if (failure instanceof InvalidTask invalid) {
            return new RequestRefused(
                    Fault.NO_TASK,
                    "no task can be made of the message: " + invalid.getMessage()
                            + ". Mend that, or discard it; it is still parked");
        }
        return new RequestRefused(
                Fault.BROKER_AWAY,
                "the broker went away in the middle; what was sent back to work, or was to be dropped, may still be parked, under"
                        + " the same id. Repeat the request when /q/health/ready says that it is back");
    }
}
