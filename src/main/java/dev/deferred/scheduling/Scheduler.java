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
     * Hands a task to the broker.
     *
     * @return completes when the broker holds the task on disk and routed; fails within {@code deferred.send-timeout} with a
     *     {@link dev.deferred.amqp.PublishFailure} that says what is known of it
     */
    public Uni<Scheduled> schedule(Task task) {
        return Uni.createFrom().deferred(() -> {
            Step step = tiers.next(task.leftMillis(clock.millis()));
            String via = step instanceof Step.Hop hop ? hop.tier().name() : VIA_GATE;
            Uni<Void> sent = step instanceof Step.Hop hop
                    ? tiers.send(hop.tier(), Wire.write(task))
                    : in.sendMessage(Wire.write(task));
            return sent.map(confirmed -> {
                metrics.scheduled(via);
                return new Scheduled(task, via);
            });
        });
    }
}
