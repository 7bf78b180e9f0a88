package dev.deferred.scheduling;

import dev.deferred.amqp.Decoded;
import dev.deferred.amqp.ParkReason;
import dev.deferred.amqp.PublishFailure;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Step;
import dev.deferred.core.Task;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * Where every task comes by between two tiers and when it is due. Looks at the clock, never at where a task came from: sends it
 * into the next tier, holds it for the rest that is smaller than every tier, or releases it.
 */
@ApplicationScoped
public class Gate {
    private final Tiers tiers;
    private final Door door;
    private final Release release;
    private final Parking parking;
    private final SchedulingMetrics metrics;
    private final OverdueTiers overdue;
    private final Clock clock;

    @Inject
    Gate(
            Tiers tiers,
            Door door,
            Release release,
            Parking parking,
            SchedulingMetrics metrics,
            OverdueTiers overdue,
            Clock clock) {
        this.tiers = tiers;
        this.door = door;
        this.release = release;
        this.parking = parking;
        this.metrics = metrics;
        this.overdue = overdue;
        this.clock = clock;
    }

    /** Takes a message in hand. Returns at once: the prefetch bounds how many are in hand. */
    @Incoming(Names.DUE_CHANNEL)
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    Uni<Void> arrived(Message<byte[]> message) {
        tiers.cameOutOf(message).ifPresent(overdue::cameOut);
        parking.cameIn(message);
        Decoded decoded = door.read(message, clock.millis());
        Uni<Void> settling = decoded instanceof Decoded.Sound sound
                ? pass(message, sound.task())
                : Settlement.publishThenAck(
                        message, () -> parking.park(message, ParkReason.REFUSED, ((Decoded.Odd) decoded).detail()));
        Settlement.guarded(message, settling).subscribe().with(settled -> {});
        return Uni.createFrom().voidItem();
    }

    private Uni<Void> pass(Message<byte[]> message, Task task) {
        Step step = tiers.next(task.leftMillis(clock.millis()));
        if (step instanceof Step.Hop hop) {
            return Settlement.publishThenAck(message, () -> hop(task, hop));
        }
        if (step instanceof Step.Hold hold) {
            // looked at again afterwards: a timer may be early, and a clock may be set
            return Uni.createFrom()
                    .voidItem()
                    .onItem()
                    .delayIt()
                    .by(Duration.ofMillis(hold.millis()))
                    .chain(() -> pass(message, task));
        }
        return release(message, task);
    }

    private Uni<Void> hop(Task task, Step.Hop hop) {
        return tiers.send(hop.tier(), Wire.write(task)).invoke(() -> metrics.hopped(hop.tier()));
    }

    private Uni<Void> release(Message<byte[]> message, Task task) {
        return Settlement.publishThenAck(message, () -> release.send(task)
                .invoke(() -> metrics.released(clock.millis() - task.dueAtMillis()))
                .onFailure(Gate::isUnroutable)
                .recoverWithUni(failure -> parking.park(task, ParkReason.UNROUTABLE, failure.getMessage())));
    }

    private static boolean isUnroutable(Throwable failure) {
        return failure instanceof PublishFailure publish && publish.reason() == PublishFailure.Reason.UNROUTABLE;
    }
}
