package dev.deferred.work;

import dev.deferred.amqp.Decoded;
import dev.deferred.amqp.ParkReason;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import dev.deferred.scheduling.Names;
import dev.deferred.scheduling.Parking;
import dev.deferred.scheduling.SchedulingConfig;
import dev.deferred.scheduling.Settlement;
import dev.deferred.work.HandlerRegistry.Registered;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;

/** Takes due tasks from the normal queue, calls their handlers, and settles each by its outcome. */
@ApplicationScoped
public class Worker {
    private final HandlerRegistry handlers;
    private final Parking parking;
    private final WorkMetrics metrics;
    private final Clock clock;
    private final int concurrency;
    private final Duration timeLimit;
    private MultiEmitter<? super Message<byte[]>> inHand;

    @Inject
    Worker(HandlerRegistry handlers, Parking parking, WorkMetrics metrics, Clock clock, SchedulingConfig config) {
        this.handlers = handlers;
        this.parking = parking;
        this.metrics = metrics;
        this.clock = clock;
        this.concurrency = config.work().concurrency();
        this.timeLimit = config.work().timeLimit();
    }

    @PostConstruct
    void begin() {
        Multi.createFrom()
                .<Message<byte[]>>emitter(emitter -> inHand = emitter, BackPressureStrategy.BUFFER)
                .onItem()
                .transformToUni(message -> Settlement.guarded(message, work(message)))
                .merge(concurrency)
                .subscribe()
                .with(settled -> {});
    }

    /** Takes a message in hand. Returns at once: the prefetch bounds how many are in hand, the concurrency how many run. */
    @Incoming(Names.TASKS_CHANNEL)
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    Uni<Void> due(Message<byte[]> message) {
        inHand.emit(message);
        return Uni.createFrom().voidItem();
    }

    private Uni<Void> work(Message<byte[]> message) {
        if (!Settlement.isOurs(message)) {
            return Uni.createFrom().voidItem(); // it waited for its turn while its channel went: it comes again
        }
        Decoded decoded = Wire.read(message, clock.millis());
        if (decoded instanceof Decoded.Sound sound) {
            Task task = sound.task();
            return handlers.find(task.type())
                    .map(registered -> handle(message, task, registered))
                    .orElseGet(() -> park(
                            message,
                            task,
                            ParkReason.UNKNOWN_TYPE,
                            "this service has no handler of type \"" + task.type() + "\"; it has " + handlers.types()));
        }
        return Settlement.publishThenAck(
                message, () -> parking.park(message, ParkReason.UNDECODABLE, ((Decoded.Odd) decoded).detail()));
    }

    private <T> Uni<Void> handle(Message<byte[]> message, Task task, Registered<T> registered) {
        T payload;
        try {
            payload = registered.reader().read(task.payload().bytes());
        } catch (IOException e) {
            return park(message, task, ParkReason.BAD_PAYLOAD, "the payload can't be read: " + e.getMessage());
        }
        long started = clock.millis();
        Uni<Outcome> outcome = Uni.createFrom()
                .deferred(() -> registered.handler().handle(payload, task))
                .onItem()
                .ifNull()
                .failWith(() -> new IllegalStateException("the handler returned no outcome"))
                .ifNoItem()
                .after(timeLimit)
                .fail();
        if (registered.blocking()) {
            outcome = outcome.runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
        }
        return outcome.onItemOrFailure().transformToUni((result, failure) -> {
            metrics.handled(task, started, clock.millis(), result, failure);
            return settle(message, task, result, failure);
        });
    }

    private Uni<Void> settle(Message<byte[]> message, Task task, Outcome outcome, Throwable failure) {
        if (failure instanceof TimeoutException) {
            return park(message, task, ParkReason.TIMED_OUT, "the handler took longer than deferred.work.time-limit");
        }
        if (failure != null) {
            return park(message, task, ParkReason.FAILED, failure.getClass().getName() + ": " + failure.getMessage());
        }
        if (outcome instanceof Outcome.Park park) {
            return park(message, task, ParkReason.ASKED, park.reason());
        }
        return Settlement.ack(message);
    }

    private Uni<Void> park(Message<byte[]> message, Task task, ParkReason reason, String detail) {
        return Settlement.publishThenAck(message, () -> parking.park(task, reason, detail));
    }
}
