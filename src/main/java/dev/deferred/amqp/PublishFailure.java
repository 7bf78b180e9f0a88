package dev.deferred.amqp;

/** Why a message was not confirmed by the broker. */
public final class PublishFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is known of the message. */
    public enum Reason {
        /** It can't be sent as it is: a name, a header or its size breaks a limit. Nothing was sent. */
        INVALID(false),
        /** Too many messages wait for their confirms. Nothing was sent. */
        OVERLOADED(false),
        /** There is no connection. Nothing was sent. */
        BROKER_AWAY(false),
        /** The broker takes no messages: a memory or disk alarm. Nothing was sent. */
        BLOCKED(false),
        /** The broker said no: the queue is full, or it failed. It does not hold the message. */
        REFUSED(false),
        /** No queue took the message, so the broker dropped it. */
        UNROUTABLE(false),
        /** It was sent, and neither confirmed nor refused in time: the broker may or may not hold it. */
        OUTCOME_UNKNOWN(true);

        private final boolean mayBeHeld;

        Reason(boolean mayBeHeld) {
            this.mayBeHeld = mayBeHeld;
        }

        /** Whether the broker said that it does not hold the message. */
        boolean saysNotHeld() {
            return this == REFUSED || this == UNROUTABLE;
        }

        /** Whether the broker may hold the message all the same. */
        public boolean mayBeHeld() {
            return mayBeHeld;
        }
    }

    private final Reason reason;

    PublishFailure(Reason reason, String text) {
        // an expected outcome: no stack trace, no suppression
        super(text, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
