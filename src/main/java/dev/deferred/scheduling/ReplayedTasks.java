package dev.deferred.scheduling;

import dev.deferred.amqp.TakenOut;

/**
 * What came of replaying all parked tasks of a type.
 *
 * @param taken how many were replayed, and why no more were
 * @param skipped how many messages of that type were met of which no task can be made; they are still parked
 */
public record ReplayedTasks(TakenOut taken, int skipped) {}
