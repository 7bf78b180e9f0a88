package dev.deferred.amqp;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Watches whether an outgoing channel that has a queue of its own still reaches it, and asks for repair when it does not. A
 * channel without a queue of its own has no route to watch: there, an unroutable message is that message's matter.
 */
final class RouteWatch {
    private static final long REPAIR_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long REMEMBERED_NANOS = Duration.ofSeconds(30).toNanos();

    private final boolean hasQueue;
    private final Runnable repair;
    private final AtomicLong repairedNanos = new AtomicLong(System.nanoTime() - REPAIR_EVERY_NANOS);
    private volatile String fault;
    private volatile long faultNanos;

    RouteWatch(boolean hasQueue, Runnable repair) {
        this.hasQueue = hasQueue;
        this.repair = repair;
    }

    void routed() {
        if (fault != null) {
            fault = null;
        }
    }

    void unroutable(String text) {
        if (hasQueue) {
            faultNanos = System.nanoTime();
            fault = text;
            repair();
        }
    }

    /** Asks for the topology to be declared anew, at most once a second. */
    void repair() {
        long now = System.nanoTime();
        long last = repairedNanos.get();
        if (now - last >= REPAIR_EVERY_NANOS && repairedNanos.compareAndSet(last, now)) {
            repair.run();
        }
    }

    /** Which route is missing; empty when none is known to be, or when that was not seen again for 30 s. */
    Optional<String> fault() {
        return Optional.ofNullable(fault).filter(text -> System.nanoTime() - faultNanos < REMEMBERED_NANOS);
    }
}
