package dev.deferred.amqp;

import java.util.Locale;

/** Why a message stands in the parking queue; a closed set, fit for a metric's label. */
public enum ParkReason {
    /** No task can be made of the message. */
    UNDECODABLE,
    /** No queue takes its routing key. */
    UNROUTABLE,
    /** It reached this service, which has no handler of its type. */
    UNKNOWN_TYPE,
    /** Its payload is not what its handler takes. */
    BAD_PAYLOAD,
    /** Its handler failed. */
    FAILED,
    /** Its handler took longer than the time limit. */
    TIMED_OUT,
    /** Its handler asked for it. */
    ASKED;

    /** The reason as it stands in the header, such as {@code unknown-type}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
