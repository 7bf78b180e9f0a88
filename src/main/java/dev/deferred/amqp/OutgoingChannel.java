package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.deferred.amqp.PublishFailure.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Sends messages until each is confirmed. What was on the way when a channel or connection broke is published again under the
 * same message-id, in the same order, until its deadline.
 */
final class OutgoingChannel implements BrokerConnection.User {
    /** Until when a message fails that was never sent, for want of a connection or for an alarm: enough for a reconnect, short for a caller. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Logger LOG = Logger.getLogger(OutgoingChannel.class);

    private final String name;
    private final OutgoingAttributes attributes;
    private final BrokerConnection connection;
    private final BrokerThreads threads;
    private final RouteWatch routes;
    private final MessageLimits limits;
    private final BarredExchanges barred = new BarredExchanges(System::nanoTime);
    private final Backoff backoff = Backoff.toReconnect();
    /** Every send that has not ended, by the order in which it came. */
    private final ConcurrentSkipListMap<Long, Send> open = new ConcurrentSkipListMap<>();

    private final AtomicLong order = new AtomicLong();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile ConfirmedChannel current;
    private volatile boolean stopping;
    private Connection on;

    OutgoingChannel(
            OutgoingAttributes attributes, BrokerConnection connection, BrokerThreads threads, RouteWatch routes) {
        this.name = attributes.channel();
        this.attributes = attributes;
        this.connection = connection;
        this.threads = threads;
        this.routes = routes;
        this.limits = new MessageLimits(attributes.maxBodyBytes());
        connection.add(this);
    }

    /** Sends a message; never blocks. The ending is told within the timeout. */
    void send(Outgoing to, byte[] body, Send.Ending ending) {
        String exchange = to.exchange().orElse(attributes.exchange());
        AMQP.BasicProperties properties =
                to.properties().builder().deliveryMode(2).build();
        Optional<String> broken = limits.fault(exchange, to.routingKey(), properties, body);
        if (broken.isPresent()) {
            ending.failed(new PublishFailure(Reason.INVALID, broken.get()));
        } else if (stopping) {
            ending.failed(new PublishFailure(Reason.OVERLOADED, "the service is stopping"));
        } else if (inFlight.incrementAndGet() > attributes.maxInFlight()) {
            inFlight.decrementAndGet();
            ending.failed(new PublishFailure(
                    Reason.OVERLOADED,
                    attributes.maxInFlight() + " messages wait for their confirms on channel " + name));
        } else {
            Send send =
                    new Send(order.incrementAndGet(), exchange, to.routingKey(), properties, body, this::ended, ending);
            open.put(send.position, send);
            connection.executeGathered(() -> publish(send));
        }
    }

    @Override
    public void opened(Connection fresh) throws IOException {
        on = fresh;
        open();
    }

    @Override
    public void lost() {
        current = null;
        on = null;
    }

    @Override
    public void unblocked() {
        open.values().forEach(this::publish);
    }

    private void open() throws IOException {
        ConfirmedChannel fresh = new ConfirmedChannel(on);
        fresh.channel().addShutdownListener(cause -> {
            if (!cause.isHardError()) {
                connection.execute(() -> reopen(fresh, cause));
            }
        });
        current = fresh;
        barred.remove(attributes.exchange()); // it may be back: the next message finds out
        open.values().forEach(this::publish);
    }

    /** The broker closed this channel alone: a fault of one message or of the topology. */
    private void reopen(ConfirmedChannel closed, ShutdownSignalException cause) {
        if (closed != current || stopping) {
            return;
        }
        current = null;
        LOG.warnf("channel %s: the broker closed it: %s", name, BrokerProblem.said(cause));
        failWhatNamedNoExchange(closed, cause);
        routes.repair();
        Connection before = on;
        threads.after(backoff.next(), () -> connection.execute(() -> openAgain(before)));
    }

    /**
     * Sends to an exchange that is missing, internal or forbidden would close every further channel too. But the channel's own
     * exchange is declared anew where that is allowed, and what is on the way to it is published again.
     */
    private void failWhatNamedNoExchange(ConfirmedChannel closed, ShutdownSignalException cause) {
        Set<String> exchanges =
                open.values().stream().map(send -> send.exchange).collect(Collectors.toSet());
        BarredExchanges.named(cause, exchanges)
                .filter(exchange -> !(exchange.equals(attributes.exchange())
                        && attributes.declared()
                        && BrokerProblem.isMissing(cause)))
                .ifPresent(exchange -> {
                    String why = "not taken: " + BrokerProblem.said(cause);
                    barred.add(exchange, why);
                    closed.exchangeGone(exchange, why);
                    open.values().forEach(this::failIfBarred);
                });
    }

    private void openAgain(Connection before) {
        if (on != before || on == null || current != null) {
            return;
        }
        try {
            open();
        } catch (IOException | AlreadyClosedException e) {
            connection.drop("channel " + name + " can't be opened again: " + e);
        }
    }

    private void publish(Send send) {
        if (failIfBarred(send)) {
            return;
        }
        ConfirmedChannel channel = current;
        if (channel == null || send.hasEnded() || send.isPublishedOn(channel) || connection.isBlocked()) {
            return;
        }
        try {
            channel.publish(send);
        } catch (IOException | AlreadyClosedException e) {
            // it is published again on the next channel, until its deadline
            LOG.debugf(e, "channel %s: not written, the channel is going down", name);
        }
    }

    private boolean failIfBarred(Send send) {
        Optional<String> barrier = barred.why(send.exchange);
        barrier.ifPresent(why -> send.fail(send.wasPublished() ? Reason.OUTCOME_UNKNOWN : Reason.UNROUTABLE, why));
        return barrier.isPresent();
    }

    private void ended(Send send) {
        if (open.remove(send.position) == null) {
            return;
        }
        inFlight.decrementAndGet();
        Optional<PublishFailure> failure = send.failure();
        if (failure.isEmpty()) {
            backoff.reset();
            routes.routed();
        } else if (failure.get().reason() == Reason.UNROUTABLE && send.exchange.equals(attributes.exchange())) {
            routes.unroutable(failure.get().getMessage());
        }
    }

    @Override
    public void checkDeadlines() {
        long now = System.nanoTime();
        // one look earlier than the timeout: the ending is told within it
        long timeout = attributes.sendTimeout().minus(BrokerConnection.TICK).toNanos();
        boolean unanswered = false;
        for (Send send : open.values()) {
            long age = now - send.sinceNanos;
            if (age < Math.min(timeout, PATIENCE.toNanos())) {
                break;
            }
            if (age >= timeout) {
                unanswered |= expire(send);
            } else if (!send.wasPublished() && (!connection.isUp() || connection.isBlocked())) {
                expire(send);
            }
        }
        ConfirmedChannel channel = current;
        if (unanswered && channel != null && connection.owesAnswersSince(channel.lastAnswerNanos()) >= timeout) {
            connection.drop("no answer on channel " + name + " for "
                    + attributes.sendTimeout().toMillis() + " ms");
        }
    }

    /** Fails a send whose time is up; true when the broker owed an answer. */
    private boolean expire(Send send) {
        boolean published = send.wasPublished();
        if (published) {
            send.fail(
                    Reason.OUTCOME_UNKNOWN,
                    "sent, but neither confirmed nor refused within "
                            + attributes.sendTimeout().toMillis() + " ms");
        } else if (connection.isBlocked()) {
            send.fail(Reason.BLOCKED, "the broker takes no messages now: a memory or disk alarm");
        } else {
            send.fail(
                    Reason.BROKER_AWAY,
                    connection
                            .problem()
                            .map(BrokerProblem::text)
                            .orElse("the connection to the broker does not keep up"));
        }
        return published;
    }

    /** Which route is missing; empty when none is known to be. */
    Optional<String> fault() {
        return routes.fault();
    }

    /** Sends that have not ended. */
    int inFlight() {
        return inFlight.get();
    }

    /** Takes no further messages. */
    void stop() {
        stopping = true;
    }
}
