package dev.deferred.scheduling;

import dev.deferred.amqp.Wire;
import dev.deferred.core.Step;
import dev.deferred.core.Task;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.MutinyEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import org.eclipse.microprofile.reactive.messaging.Channel;

/** Puts tasks where they wait. The one way by which anything that is not due yet is published. */
@ApplicationScoped
public class Scheduler {
    /** Where a task goes that is due sooner than the smallest tier could hold it. */
    public static final String VIA_GATE = "gate";

    /** For so long a delay that equals a tier is one hop through that tier, and the task that late at most. */
    private static final long JUST_NOW_MILLIS = 20;

    private final Tiers tiers;
    private final MutinyEmitter<byte[]> in;
    private final SchedulingMetrics metrics;
    private final Clock clock;

    @Inject
    Scheduler(
            Tiers tiers, @Channel(Names.IN_CHANNEL) MutinyEmitter<byte[]> in, SchedulingMetrics metrics, Clock clock) {
        this.tiers = tiers;
        this.in = in;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * Hands a new task to the broker. Its delay counts from when it was accepted, so that a delay equal to a tier is one hop
     * through that tier, whatever time has passed since.
     *
     * @return completes when the broker holds the task on disk and routed; fails within {@code deferred.send-timeout} with a
     *     {@link dev.deferred.amqp.PublishFailure} that says what is known of it
     */
    public Uni<Scheduled> schedule(Task task) {
        return Uni.createFrom().deferred(() -> {
            Step step = tiers.next(task.leftMillis(task.scheduledAtMillis()));
            String via = step instanceof Step.Hop hop ? hop.tier().name() : VIA_GATE;
            return send(task, step).map(confirmed -> {
                metrics.scheduled(via);
                return new Scheduled(task, via);
            });
        });
    }

    /**
     * Hands a task to the broker that was accepted before and has a new due time; otherwise like {@link #schedule}. Its delay
     * counts from when that was decided, unless that is long ago.
     *
     * @param decidedAtMillis when it got its due time, epoch milliseconds
     */
    public Uni<Void> replan(Task task, long decidedAtMillis) {
        return Uni.createFrom()
                .deferred(() -> {
                    long now = clock.millis();
                    long from = now - decidedAtMillis > JUST_NOW_MILLIS ? now : decidedAtMillis;
                    return send(task, tiers.next(task.leftMillis(from)));
                })
                .invoke(metrics::replanned);
    }

    /** The same for a task that somebody sends back to work, due now. */
    Uni<Void> send(Task task) {
        return Uni.createFrom().deferred(() -> send(task, tiers.next(task.leftMillis(clock.millis()))));
    }

    private Uni<Void> send(Task task, Step step) {
        return step instanceof Step.Hop hop
                ? tiers.send(hop.tier(), Wire.write(task))
                : in.sendMessage(Wire.write(task));
    }
}
