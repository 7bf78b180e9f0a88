package dev.deferred.amqp;

import java.util.Locale;

/** Why a message stands in the parking queue; a closed set, fit for a metric's label. */
public enum ParkReason {
    /** No task can be made of the message. */
    UNDECODABLE,
    /** It asks for what is not allowed: a delay that is no number, negative or too long, or a forbidden destination. */
    REFUSED,
    /** No queue takes its routing key. */
    UNROUTABLE,
    /** It reached this service, which has no handler of its type. */
    UNKNOWN_TYPE,
    /** Its payload is not what its handler takes. */
    BAD_PAYLOAD,
    /** Its handler failed as often as it may. */
    FAILED,
    /** The process went down while its handler ran, again and again. */
    CRASHED,
    /** It would have to wait on, but is older than the limit. */
    TOO_OLD,
    /** Its handler took longer than the time limit. */
    TIMED_OUT,
    /** Its handler asked for it. */
    ASKED;

    /** The reason as it stands in the header, such as {@code unknown-type}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
