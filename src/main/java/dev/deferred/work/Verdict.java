package dev.deferred.work;

import dev.deferred.amqp.ParkReason;
import dev.deferred.core.Task;

/** What becomes of a task that was in hand. */
sealed interface Verdict {
    /** It is done with. */
    record Finish() implements Verdict {}

    /** It runs again when it is due: decided at that time, in epoch milliseconds. */
    record Replan(Task task, long decidedAtMillis) implements Verdict {}

    /** It is parked. */
    record SetAside(Task task, ParkReason reason, String detail) implements Verdict {}
}
