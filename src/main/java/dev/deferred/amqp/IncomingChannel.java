package dev.deferred.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Connection;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/**
 * Consumes a queue for ever: after a broken connection, a closed channel, a deleted queue or a cancelled consumer it subscribes
 * anew. A message is settled only on the channel that delivered it; when that is gone, settling it does nothing, for the broker
 * delivers it again.
 */
final class IncomingChannel implements BrokerConnection.User {
    private static final Logger LOG = Logger.getLogger(IncomingChannel.class);

    private static final Duration WATCH_EVERY = Duration.ofSeconds(10);

    private final IncomingAttributes attributes;
    private final BrokerConnection connection;
    private final BrokerThreads threads;
    private final Backoff backoff = Backoff.toReconnect();
    private volatile MultiEmitter<? super Message<byte[]>> receiver;
    private volatile Optional<String> fault = Optional.of("not consuming yet");
    private volatile boolean stopping;
    private volatile Subscription current;
    /** Those that ended when their queue was deleted, while work of theirs is in hand: nobody else has it. */
    private final Set<Subscription> orphaned = ConcurrentHashMap.newKeySet();

    private final Optional<StreamPosition> position;
    private Connection on;

    IncomingChannel(IncomingAttributes attributes, BrokerConnection connection, BrokerThreads threads) {
        this.attributes = attributes;
        this.connection = connection;
        this.threads = threads;
        this.position = attributes.streamOffset().map(StreamPosition::new);
        connection.add(this);
        threads.every(WATCH_EVERY, () -> connection.execute(this::watch));
    }

    /** The messages as they come. At most the prefetch of them are unsettled, so the buffer has that bound. */
    Multi<Message<byte[]>> messages() {
        return Multi.createFrom()
                .<Message<byte[]>>emitter(emitter -> receiver = emitter, BackPressureStrategy.BUFFER)
                .select()
                .where(message -> Incoming.of(message).isOurs().getAsBoolean());
    }

    @Override
    public void opened(Connection fresh) throws IOException {
        on = fresh;
        subscribe();
    }

    @Override
    public void lost() {
        end("the connection is gone");
        on = null;
    }

    private void subscribe() throws IOException {
        MultiEmitter<? super Message<byte[]>> to = receiver;
        if (stopping || to == null) {
            return;
        }
        Subscription fresh = new Subscription(
                on.createChannel(),
                connection,
                message -> {
                    position.ifPresent(stream -> stream.saw(message));
                    to.emit(message);
                },
                (which, why) -> connection.execute(() -> ended(which, why)));
        current = fresh;
        fresh.begin(
                attributes.queue(),
                attributes.prefetch(),
                position.map(StreamPosition::argument).orElse(Map.of()));
        fault = Optional.empty();
        backoff.reset();
    }

    /** The subscription ended by itself: look for the queue again, with growing waits. */
    private void ended(Subscription which, String why) {
        if (which == current && !stopping) {
            LOG.warnf("channel %s: %s. Subscribing anew until it works.", attributes.channel(), why);
            if (which.isQueueGone()) {
                position.ifPresent(StreamPosition::startOver);
            }
            end(why);
            retry();
        }
    }

    /** Finds a consumer that gets nothing although messages are ready, and a queue that is gone without a word. */
    private void watch() {
        Subscription subscription = current;
        if (subscription == null || stopping) {
            return;
        }
        try {
            if (subscription.isStalled(attributes.queue())) {
                ended(subscription, "messages are ready but none was delivered for " + WATCH_EVERY.toSeconds() + " s");
            }
        } catch (IOException | AlreadyClosedException e) {
            ended(subscription, "queue \"" + attributes.queue() + "\" can't be looked at");
        }
    }

    private void retry() {
        Connection before = on;
        connection.repair();
        threads.after(backoff.next(), () -> connection.execute(() -> subscribeAgain(before)));
    }

    private void subscribeAgain(Connection before) {
        if (on != before || on == null || current != null) {
            return;
        }
        try {
            subscribe();
        } catch (IOException | AlreadyClosedException e) {
            end("queue \"" + attributes.queue() + "\" can't be consumed: " + e.getMessage());
            retry();
        }
    }

    private void end(String why) {
        fault = Optional.of(why);
        Subscription ending = current;
        current = null;
        if (ending != null) {
            ending.end();
            orphaned.removeIf(subscription -> subscription.inHand() == 0);
            if (ending.inHand() > 0) {
                orphaned.add(ending);
            }
        }
    }

    /** Stops deliveries; what is in hand can still be settled. */
    void stop() {
        stopping = true;
        connection.execute(() -> {
            Subscription subscription = current;
            if (subscription != null) {
                try {
                    subscription.getChannel().basicCancel(subscription.getConsumerTag());
                } catch (IOException | AlreadyClosedException e) {
                    LOG.debugf(e, "channel %s: no consumer left to cancel", attributes.channel());
                }
            }
        });
    }

    /** Messages delivered and not settled yet, also those whose queue is gone. */
    int inHand() {
        Subscription subscription = current;
        int here = subscription == null ? 0 : subscription.inHand();
        return here + orphaned.stream().mapToInt(Subscription::inHand).sum();
    }

    /** Why nothing is consumed; empty when the consumer is subscribed. */
    Optional<String> fault() {
        return fault;
    }
}
