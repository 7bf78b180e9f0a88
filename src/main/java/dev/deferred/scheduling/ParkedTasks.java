package dev.deferred.scheduling;

import dev.deferred.amqp.Choice;
import dev.deferred.amqp.Decoded;
import dev.deferred.amqp.DeferredConnector;
import dev.deferred.amqp.Headers;
import dev.deferred.amqp.Incoming;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.TakenOut;
import dev.deferred.core.ParkedTask;
import dev.deferred.core.Task;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;

/** Shows what is parked, from the log; sends it back to work or drops it, from the parking queue itself. */
@ApplicationScoped
public class ParkedTasks {
    /** How old the queue's count may be: however often callers ask, the broker is asked once in that time. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final Duration DEADLINE = Duration.ofSeconds(4);

    private final String queue;
    private final Uni<Long> waiting;
    private final DeferredConnector connector;
    private final ParkedIndex index;
    private final ParkedLog log;
    private final Door door;
    private final Scheduler scheduler;
    private final SchedulingMetrics metrics;
    private final Clock clock;

    @Inject
    ParkedTasks(
            SchedulingConfig config,
            @Connector(DeferredConnector.NAME) DeferredConnector connector,
            ParkedIndex index,
            ParkedLog log,
            Door door,
            Scheduler scheduler,
            SchedulingMetrics metrics,
            Clock clock) {
        this.queue = new Names(config.prefix()).parked();
        this.waiting = Uni.createFrom()
                .deferred(() -> connector.readyIn(List.of(queue)))
                .map(ready -> ready.getOrDefault(queue, 0L))
                .ifNoItem()
                .after(DEADLINE)
                .fail()
                .memoize()
                .forFixedDuration(FRESH);
        this.connector = connector;
        this.index = index;
        this.log = log;
        this.door = door;
        this.scheduler = scheduler;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * A page of what is parked, newest first. Fails within four seconds when the broker does not answer.
     *
     * @param before where it begins; all that is newer is left out
     * @param limit how many tasks it has at most, from 1
     */
    public Uni<ParkedList> list(long before, int limit) {
        return waiting.map(ready -> {
            ParkedIndex.Page page = index.newest(before, limit + 1);
            List<Map.Entry<Long, ParkedTask>> shown =
                    page.tasks().stream().limit(limit).toList();
            return new ParkedList(
                    shown.stream().map(Map.Entry::getValue).toList(),
                    ready,
                    page.total(),
                    page.tasks().size() > limit
                            ? OptionalLong.of(shown.get(shown.size() - 1).getKey())
                            : OptionalLong.empty());
        });
    }

    /** What the list has of a task; empty when it has nothing. */
    public Optional<ParkedTask> find(String id) {
        return index.find(id);
    }

    /**
     * Sends the first parked task with that id back to work: due now, with all its attempts before it.
     *
     * @return with an {@link InvalidTask} as its failure when no task can be made of the message; fails with a
     *     {@link dev.deferred.amqp.PublishFailure} when the broker can't be reached or refuses
     */
    public Uni<TakenOut> replay(String id) {
        return connector.takeOut(
                queue,
                message -> id.equals(id(message)) ? Optional.of(replay(message, renewed(message))) : Optional.empty(),
                1);
    }

    /**
     * Sends all parked tasks of a type back to work.
     *
     * @return fails with a {@link dev.deferred.amqp.PublishFailure} when the broker can't be reached or refuses
     */
    public Uni<ReplayedTasks> replayAll(String type) {
        AtomicInteger skipped = new AtomicInteger();
        Choice choice = message -> {
            if (!type.equals(type(message))) {
                return Optional.empty();
            }
            Decoded decoded = renewed(message);
            if (decoded instanceof Decoded.Odd) {
                skipped.incrementAndGet();
                return Optional.empty();
            }
            return Optional.of(replay(message, decoded));
        };
        return connector
                .takeOut(queue, choice, Integer.MAX_VALUE)
                .map(taken -> new ReplayedTasks(taken, skipped.get()));
    }

    /**
     * Drops the first parked message with that id.
     *
     * @return with {@link TakenOut.End#ENOUGH} when it is gone; fails with a {@link dev.deferred.amqp.PublishFailure} when the broker can't be reached or refuses
     */
    public Uni<TakenOut> discard(String id) {
        AtomicReference<Message<byte[]>> dropped = new AtomicReference<>();
        Choice choice = message -> id.equals(id(message))
                ? Optional.of(Uni.createFrom().voidItem().invoke(() -> dropped.set(message)))
                : Optional.empty();
        return connector.takeOut(queue, choice, 1).invoke(taken -> {
            if (taken.end() == TakenOut.End.ENOUGH) {
                metrics.discarded();
                gone(dropped.get());
            }
        });
    }

    private Uni<Void> replay(Message<byte[]> message, Decoded decoded) {
        if (decoded instanceof Decoded.Odd odd) {
            return Uni.createFrom().failure(new InvalidTask("id", odd.detail()));
        }
        Task task = ((Decoded.Sound) decoded).task();
        return scheduler.send(task).invoke(() -> {
            metrics.replayed();
            gone(message);
        });
    }

    /** The task as it goes back to work. */
    private Decoded renewed(Message<byte[]> message) {
        long now = clock.millis();
        Decoded decoded = door.read(message, now);
        return decoded instanceof Decoded.Sound sound
                ? new Decoded.Sound(sound.task().renewed(now))
                : decoded;
    }

    /** Strikes it off the list, where only those are that this service parked: they have an id and a time. */
    private void gone(Message<byte[]> message) {
        String id = id(message);
        if (id != null) {
            ParkedMessage.parkedAt(Headers.of(message)).ifPresent(at -> {
                index.gone(id, at);
                log.gone(id, at);
            });
        }
    }

    /** The type of the task that it is, or would be. */
    private static String type(Message<byte[]> message) {
        Incoming from = Incoming.of(message);
        return Optional.ofNullable(from.properties().getType()).orElse(from.routingKey());
    }

    private static String id(Message<byte[]> message) {
        return Incoming.of(message).properties().getMessageId();
    }
}
