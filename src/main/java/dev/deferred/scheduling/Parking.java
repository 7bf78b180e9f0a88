package dev.deferred.scheduling;

import dev.deferred.amqp.ParkReason;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.core.Excerpt;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.MutinyEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/** Sets tasks and messages aside that can't go on, with the reason, for a person to look at. */
@ApplicationScoped
public class Parking {
    private static final Logger LOG = Logger.getLogger(Parking.class);

    private final MutinyEmitter<byte[]> park;
    private final ParkedLog log;
    private final SchedulingMetrics metrics;
    private final Clock clock;

    @Inject
    Parking(
            @Channel(Names.PARK_CHANNEL) MutinyEmitter<byte[]> park,
            ParkedLog log,
            SchedulingMetrics metrics,
            Clock clock) {
        this.park = park;
        this.log = log;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Parks a task; completes when the parking queue holds it. */
    public Uni<Void> park(Task task, ParkReason reason, String detail) {
        return Uni.createFrom()
                .deferred(() -> send(ParkedMessage.of(task, reason, detail, clock.millis())))
                .invoke(() -> parked(task.id().value(), reason, detail));
    }

    /** Parks a message that is no task; completes when the parking queue holds it. */
    public Uni<Void> park(Message<byte[]> odd, ParkReason reason, String detail) {
        return Uni.createFrom()
                .deferred(() -> send(ParkedMessage.of(odd, reason, detail, clock.millis())))
                .invoke(() -> parked("a message", reason, detail));
    }

    /** A message came in; if it was parked before, somebody moved it out of the parking queue by hand. */
    public void cameIn(Message<byte[]> message) {
        log.cameIn(message);
    }

    private Uni<Void> send(Message<byte[]> parked) {
        return park.sendMessage(parked).invoke(() -> log.parked(parked));
    }

    private void parked(String what, ParkReason reason, String detail) {
        metrics.parked(reason);
        LOG.warnf(
                "parked %s (%s): %s", Excerpt.of(what, TaskId.MAX_BYTES), reason.code(), ParkedMessage.shorten(detail));
    }
}
