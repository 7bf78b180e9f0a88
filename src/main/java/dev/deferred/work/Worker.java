package dev.deferred.work;

import dev.deferred.amqp.Decoded;
import dev.deferred.amqp.ParkReason;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Excerpt;
import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import dev.deferred.scheduling.Names;
import dev.deferred.scheduling.Parking;
import dev.deferred.scheduling.Scheduler;
import dev.deferred.scheduling.SchedulingConfig;
import dev.deferred.scheduling.Settlement;
import dev.deferred.work.HandlerRegistry.Registered;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/** Takes due tasks from the normal queue, calls their handlers, and settles each as its verdict says. */
@ApplicationScoped
public class Worker {
    private static final Logger LOG = Logger.getLogger(Worker.class);
    private static final int BEFORE_THE_CHANNELS = 100;

    private final HandlerRegistry handlers;
    private final Verdicts verdicts;
    private final Scheduler scheduler;
    private final Parking parking;
    private final WorkMetrics metrics;
    private final Clock clock;
    private final int concurrency;
    private final Duration timeLimit;
    private final InHand inHand;
    private MultiEmitter<? super Piece> many;
    private MultiEmitter<? super Piece> oneByOne;
    private volatile boolean stopping;

    @Inject
    Worker(
            HandlerRegistry handlers,
            Verdicts verdicts,
            Scheduler scheduler,
            Parking parking,
            WorkMetrics metrics,
            Clock clock,
            SchedulingConfig config) {
        this.handlers = handlers;
        this.verdicts = verdicts;
        this.scheduler = scheduler;
        this.parking = parking;
        this.metrics = metrics;
        this.clock = clock;
        this.concurrency = config.work().concurrency();
        this.timeLimit = config.work().timeLimit();
        this.inHand = new InHand(2 * config.work().prefetch());
    }

    @PostConstruct
    void begin() {
        workOff(Multi.createFrom().emitter(emitter -> many = emitter, BackPressureStrategy.BUFFER), concurrency);
        workOff(Multi.createFrom().emitter(emitter -> oneByOne = emitter, BackPressureStrategy.BUFFER), 1);
    }

    private void workOff(Multi<Piece> pieces, int atATime) {
        pieces.onItem().transformToUni(this::work).merge(atATime).subscribe().with(settled -> {});
    }

    /** Takes a message in hand. Returns at once: the prefetch bounds how many are in hand, the concurrency how many run. */
    @Incoming(Names.TASKS_CHANNEL)
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    Uni<Void> due(Message<byte[]> message) {
        take(message, many, false);
        return Uni.createFrom().voidItem();
    }

    /** Takes a task in hand that was there when a process went down, again and again: no other such task runs here now. */
    @Incoming(Names.SUSPECTS_CHANNEL)
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    Uni<Void> dueAlone(Message<byte[]> message) {
        take(message, oneByOne, true);
        return Uni.createFrom().voidItem();
    }

    /** Begins nothing more: what has not begun goes back as if it had never been here, and counts no attempt. */
    void stop(@Observes @Priority(BEFORE_THE_CHANNELS) ShutdownEvent event) {
        stopping = true;
        inHand.all().forEach(this::handBack);
    }

    private void handBack(Piece piece) {
        if (piece.begin()) {
            piece.end(verdicts.handBack(piece.task()));
            start(settle(piece));
        }
    }

    private void take(Message<byte[]> message, MultiEmitter<? super Piece> lane, boolean alone) {
        parking.cameIn(message);
        Decoded decoded = Wire.read(message, clock.millis());
        if (!(decoded instanceof Decoded.Sound sound)) {
            String detail = ((Decoded.Odd) decoded).detail();
            parkUnhandled(message, parking.park(message, ParkReason.UNDECODABLE, detail));
            return;
        }
        Task task = sound.task();
        handlers.find(task.type())
                .ifPresentOrElse(
                        registered -> go(inHand.arrived(message, task, registered), lane, alone),
                        () -> parkUnhandled(message, publish(verdicts.unknownType(task, handlers.types()))));
    }

    private static void parkUnhandled(Message<byte[]> message, Uni<Void> parking) {
        start(Settlement.guarded(message, Settlement.publishThenAck(message, () -> parking)));
    }

    /** Of a settling, which never fails. */
    private static void start(Uni<Void> settling) {
        settling.subscribe().with(settled -> {});
    }

    private void go(InHand.Arrival arrival, MultiEmitter<? super Piece> lane, boolean alone) {
        Piece piece = arrival.piece();
        switch (arrival.how()) {
            case JOINED ->
                LOG.debugf(
                        "%s was delivered again while it is in hand",
                        Excerpt.quoted(piece.task().id().value()));
            case UNTOUCHED -> lane.emit(piece);
            case ENDED -> start(settle(piece));
            case NEW -> {
                if (Settlement.isRedelivered(piece.message())) {
                    piece.end(
                            verdicts.afterCrash(piece.task(), piece.registered().retry(), alone));
                    start(settle(piece));
                } else if (stopping) {
                    handBack(piece);
                } else {
                    lane.emit(piece);
                }
            }
        }
    }

    private Uni<Void> work(Piece piece) {
        if (!piece.begin()) {
            inHand.leave(piece);
            return Uni.createFrom().voidItem();
        }
        return handle(piece.task(), piece.registered()).invoke(piece::end).chain(() -> settle(piece));
    }

    private <T> Uni<Verdict> handle(Task task, Registered<T> registered) {
        T payload;
        try {
            payload = registered.reader().read(task.payload().bytes());
        } catch (IOException e) {
            return Uni.createFrom()
                    .item(verdicts.setAside(
                            task, ParkReason.BAD_PAYLOAD, "the payload can't be read: " + e.getMessage()));
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
        return outcome.onItemOrFailure().transform((result, failure) -> {
            metrics.handled(task, started, clock.millis(), result, failure);
            return failure == null
                    ? verdicts.after(result, task, registered.retry())
                    : verdicts.after(failure, task, registered.retry());
        });
    }

    /** Settles a piece by the message it has now; whether that could be done shows when the channel goes. */
    private Uni<Void> settle(Piece piece) {
        Message<byte[]> message = piece.message();
        Uni<Void> settling = piece.isPublished()
                ? Settlement.ack(message)
                : Settlement.publishThenAck(
                        message, () -> publish(piece.verdict()).invoke(piece::publish));
        return Settlement.guarded(message, settling).invoke(() -> inHand.leave(piece));
    }

    private Uni<Void> publish(Verdict verdict) {
        if (verdict instanceof Verdict.Replan replan) {
            return scheduler.replan(replan.task(), replan.decidedAtMillis());
        }
        if (verdict instanceof Verdict.SetAside aside) {
            return parking.park(aside.task(), aside.reason(), aside.detail());
        }
        return Uni.createFrom().voidItem();
    }
}
