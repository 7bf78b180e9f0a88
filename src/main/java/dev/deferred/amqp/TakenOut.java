package dev.deferred.amqp;

import java.util.Optional;

/**
 * What came of taking messages out of a queue.
 *
 * @param count how many were brought to their end and acknowledged
 * @param end why no more were
 * @param failure what went wrong, with {@link End#FAILED}
 */
public record TakenOut(int count, End end, Optional<Throwable> failure) {
    /** Why a search ended. */
    public enum End {
        /** As many were found as were asked for. */
        ENOUGH,
        /** Everything that lay in the queue was looked at. */
        SEARCHED,
        /** Everything that was ready was looked at, but other consumers may have had messages in hand. */
        SHARED,
        /** The search had taken its time, or looked at as many messages as it may. */
        CUT_OFF,
        /**
         * One could not be brought to its end, or the broker went away: what is not counted is still in the queue, and so may be
         * some of what is counted.
         */
        FAILED,
        /** Another search of this service went on for too long: nothing was looked at. */
        BUSY
    }
}
