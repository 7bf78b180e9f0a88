package dev.deferred.bench;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * The measure: the Java client alone, which publishes into a delay queue like the service's (quorum, TTL, at-least-once
 * dead-lettering), persistent, mandatory and confirmed, with a window of unconfirmed messages.
 */
final class BareClient {
    private final Channel channel;
    private final String exchange;
    private final Duration delay;
    private final int window;
    private final Semaphore places;
    private final NavigableSet<Long> unconfirmed = new ConcurrentSkipListSet<>();
    private final Messages messages = new Messages();
    private final byte[] body = Messages.body();

    /** Declares the delay queue {@code name} in front of the exchange that takes what is due. */
    BareClient(Connection connection, String name, Duration delay, String dueExchange, int window) throws IOException {
        this.channel = connection.createChannel();
        this.exchange = name;
        this.delay = delay;
        this.window = window;
        this.places = new Semaphore(window);
        channel.exchangeDeclare(name, BuiltinExchangeType.FANOUT, true);
        channel.queueDeclare(name, true, false, false, delayQueue(delay, dueExchange));
        channel.queueBind(name, name, "");
        channel.confirmSelect();
        channel.addReturnListener(returned -> refused("returned a message: " + returned.getReplyText()));
        channel.addConfirmListener(this::confirmed, (tag, multiple) -> refused("refused a message"));
    }

    /** The arguments of a queue like a tier of the service. */
    static Map<String, Object> delayQueue(Duration delay, String dueExchange) {
        return Map.of(
                "x-queue-type", "quorum",
                "x-message-ttl", delay.toMillis(),
                "x-dead-letter-exchange", dueExchange,
                "x-dead-letter-strategy", "at-least-once",
                "x-overflow", "reject-publish");
    }

    /** Publishes for that long, as fast as the window allows. */
    Pace run(Duration time) throws IOException {
        return run(Long.MAX_VALUE, time, 0);
    }

    /** Publishes that many messages, as fast as the window allows. */
    Pace run(long count) throws IOException {
        return run(count, Duration.ofHours(1), 0);
    }

    /** Publishes that many messages a second for that long. */
    Pace runPaced(int perSecond, Duration time) throws IOException {
        return run(Long.MAX_VALUE, time, 1_000_000_000L / perSecond);
    }

    private Pace run(long most, Duration time, long periodNanos) throws IOException {
        long began = System.nanoTime();
        long next = began;
        long count = 0;
        while (count < most && System.nanoTime() - began < time.toNanos()) {
            while (periodNanos > 0 && next > System.nanoTime()) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
            next += periodNanos;
            places.acquireUninterruptibly();
            publish();
            count++;
        }
        places.acquireUninterruptibly(window);
        places.release(window);
        return new Pace(count, Duration.ofNanos(System.nanoTime() - began));
    }

    private void publish() throws IOException {
        AMQP.BasicProperties properties = messages.properties(delay);
        unconfirmed.add(channel.getNextPublishSeqNo());
        channel.basicPublish(exchange, Messages.TYPE, true, properties, body);
    }

    private void confirmed(long tag, boolean multiple) {
        if (!multiple) {
            unconfirmed.remove(tag);
            places.release();
            return;
        }
        NavigableSet<Long> upToTag = unconfirmed.headSet(tag, true);
        while (upToTag.pollFirst() != null) {
            places.release();
        }
    }

    private void refused(String what) {
        throw new IllegalStateException("the broker " + what);
    }
}
