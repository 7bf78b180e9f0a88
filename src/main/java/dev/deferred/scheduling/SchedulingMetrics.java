package dev.deferred.scheduling;

import dev.deferred.amqp.ParkReason;
import dev.deferred.core.Tier;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what happens to tasks. Labels come from closed sets: tiers and reasons, never ids, delays or anything a caller chose. */
@ApplicationScoped
public class SchedulingMetrics {
    private static final Duration[] LATENESS_BOUNDS = {
        Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(20),
        Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500),
                Duration.ofSeconds(1),
        Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(5)
    };

    private final MeterRegistry registry;
    private final Timer lateness;
    private final Counter replanned;
    private final Counter replayed;
    private final Counter discarded;
    private final Counter unlisted;
    private final Map<String, Counter> scheduled = new ConcurrentHashMap<>();
    private final Map<String, Counter> hops = new ConcurrentHashMap<>();
    private final Map<ParkReason, Counter> parked = new ConcurrentHashMap<>();

    @Inject
    SchedulingMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.lateness = Timer.builder("deferred.lateness")
                .description("How long after its due time a task was released and confirmed")
                .serviceLevelObjectives(LATENESS_BOUNDS)
                .register(registry);
        this.replanned = Counter.builder("deferred.replanned")
                .description("Tasks that a worker gave a new due time: failed ones, and those that ask again")
                .register(registry);
        this.replayed = Counter.builder("deferred.replayed")
                .description("Parked tasks that were sent back to work")
                .register(registry);
        this.discarded = Counter.builder("deferred.discarded")
                .description("Parked messages that were dropped on request")
                .register(registry);
        this.unlisted = Counter.builder("deferred.unlisted")
                .description("Entries that could not be written to the list of what is parked")
                .register(registry);
    }

    void replayed() {
        replayed.increment();
    }

    void discarded() {
        discarded.increment();
    }

    void unlisted() {
        unlisted.increment();
    }

    void scheduled(String via) {
        scheduled
                .computeIfAbsent(via, name -> Counter.builder("deferred.scheduled")
                        .description("Tasks accepted: held by the broker and confirmed")
                        .tag("via", name)
                        .register(registry))
                .increment();
    }

    void replanned() {
        replanned.increment();
    }

    void hopped(Tier tier) {
        hops.computeIfAbsent(tier.name(), name -> Counter.builder("deferred.hops")
                        .description("Tasks sent on into a further tier")
                        .tag("tier", name)
                        .register(registry))
                .increment();
    }

    /** A task was released: the lateness timer's count is the number of releases. */
    void released(long latenessMillis) {
        lateness.record(Duration.ofMillis(Math.max(0, latenessMillis)));
    }

    void parked(ParkReason reason) {
        parked.computeIfAbsent(reason, why -> Counter.builder("deferred.parked")
                        .description("Tasks and messages set aside")
                        .tag("reason", why.code())
                        .register(registry))
                .increment();
    }
}
