package dev.deferred.scheduling;

/** How the broker keeps the queues. */
public enum QueueType {
    /** Replicated, and dead-lettering that survives a crash: nothing is lost. */
    QUORUM,
    /** One copy; a crash of the broker while tasks move between queues loses some. Only for tasks that may be lost. */
    CLASSIC
}
