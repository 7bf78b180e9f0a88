package dev.deferred.core;

/** What a handler made of a task. A thrown exception or a failed {@code Uni} is a failure, not an outcome. */
public sealed interface Outcome {
    /** The work is done: the task is acknowledged and gone. */
    record Done() implements Outcome {}

    /**
     * The work can never succeed: the task is parked.
     *
     * @param reason why, for the person who will look at it; cut to 2,000 characters when parked
     */
    record Park(String reason) implements Outcome {}

    static Outcome done() {
        return new Done();
    }

    static Outcome park(String reason) {
        return new Park(reason);
    }
}
