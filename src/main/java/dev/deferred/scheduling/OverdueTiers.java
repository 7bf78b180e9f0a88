package dev.deferred.scheduling;

import dev.deferred.core.OverdueWatch;
import dev.deferred.core.Tier;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** Watches that every tier lets its tasks out: a broker that does not is otherwise noticed by customers first. */
@ApplicationScoped
public class OverdueTiers {
    private static final Logger LOG = Logger.getLogger(OverdueTiers.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** Below this a tier is merely slow, as after a restart of the broker. */
    private static final long WORTH_A_WARNING_MILLIS = 20_000;

    private final Tiers tiers;
    private final MeterRegistry registry;
    private final Map<Tier, Watched> watched = new ConcurrentHashMap<>();
    private Cancellable looking = () -> {};

    /** A tier with what was seen of it. */
    private static final class Watched {
        private final OverdueWatch watch;
        private final AtomicLong cameOut = new AtomicLong();
        private final AtomicLong overdueMillis = new AtomicLong();

        Watched(Tier tier) {
            watch = new OverdueWatch(tier, monotonicMillis());
        }
    }

    @Inject
    OverdueTiers(Tiers tiers, MeterRegistry registry) {
        this.tiers = tiers;
        this.registry = registry;
    }

    void begin(@Observes StartupEvent event) {
        for (Tier tier : tiers.all()) {
            Watched seen = new Watched(tier);
            watched.put(tier, seen);
            Gauge.builder("deferred.overdue", seen.overdueMillis, millis -> millis.get() / 1_000.0)
                    .description("For how long the oldest task of a tier should have come out by now, at least")
                    .baseUnit("seconds")
                    .tag("tier", tier.name())
                    .register(registry);
        }
        looking = Multi.createFrom()
                .ticks()
                .every(LOOK_EVERY)
                .onOverflow()
                .drop()
                .onItem()
                .transformToUniAndConcatenate(tick -> look())
                .subscribe()
                .with(done -> {}, failure -> LOG.error("tiers are no longer watched", failure));
    }

    @PreDestroy
    void end() {
        looking.cancel();
    }

    /** A task came out of a tier. */
    void cameOut(Tier tier) {
        Watched seen = watched.get(tier);
        if (seen != null) {
            seen.cameOut.incrementAndGet();
        }
    }

    private Uni<Void> look() {
        return tiers.waiting()
                .invoke(this::judge)
                .onFailure()
                .invoke(failure -> LOG.debug("not looked at the tiers: readiness says why", failure))
                .onFailure()
                .recoverWithNull()
                .replaceWithVoid();
    }

    private void judge(Map<Tier, Long> waiting) {
        long now = monotonicMillis();
        waiting.forEach((tier, depth) -> {
            Watched seen = watched.get(tier);
            long overdue = seen.watch.look(depth, seen.cameOut.get(), now);
            long before = seen.overdueMillis.getAndSet(overdue);
            if (overdue >= WORTH_A_WARNING_MILLIS && before < WORTH_A_WARNING_MILLIS) {
                LOG.warnf(
                        "the tier %s holds %d tasks and has let none out for %d s more than its delay; see docs/operations.md",
                        tier.name(), depth, TimeUnit.MILLISECONDS.toSeconds(overdue));
            }
        });
    }

    private static long monotonicMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
