package dev.deferred.testing;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * What RabbitMQ alone does at the same time: a queue with a TTL of one second whose messages dead-letter into another, which is
 * consumed. How late they are is how late the machine and the broker are just now.
 */
public final class BareTier implements AutoCloseable {
    private static final long TTL_MILLIS = 1_000;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ConcurrentLinkedQueue<Long> late = new ConcurrentLinkedQueue<>();
    private final Channel channel;
    private final String tier;
    private Future<?> sending;

    private BareTier(Channel channel, String prefix) throws IOException {
        this.channel = channel;
        this.tier = prefix + ".bare.tier";
        String target = prefix + ".bare.target";
        channel.queueDeclare(target, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueDeclare(
                tier,
                true,
                false,
                false,
                Map.of(
                        "x-queue-type", "quorum",
                        "x-message-ttl", TTL_MILLIS,
                        "x-dead-letter-exchange", "",
                        "x-dead-letter-routing-key", target,
                        "x-dead-letter-strategy", "at-least-once",
                        "x-overflow", "reject-publish"));
        Channel consuming = channel.getConnection().createChannel();
        consuming.basicConsume(
                target,
                true,
                (tag, delivery) -> late.add(System.currentTimeMillis()
                        - TTL_MILLIS
                        - Long.parseLong(new String(delivery.getBody(), StandardCharsets.US_ASCII))),
                tag -> {});
    }

    /** Sends a message every so often until it is closed. The channel is then its own. */
    public static BareTier start(Channel channel, String prefix, Duration every) throws IOException {
        BareTier bare = new BareTier(channel, prefix);
        bare.sending = bare.clock.scheduleAtFixedRate(bare::send, 0, every.toNanos(), TimeUnit.NANOSECONDS);
        return bare;
    }

    private void send() {
        AMQP.BasicProperties properties = MessageProperties.MINIMAL_PERSISTENT_BASIC;
        try {
            channel.basicPublish(
                    "",
                    tier,
                    properties,
                    Long.toString(System.currentTimeMillis()).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many messages have come out. */
    public int arrived() {
        return late.size();
    }

    /**
     * The milliseconds after the TTL at which those came that have come out.
     *
     * @throws IllegalStateException when it has stopped sending, so that this says nothing of now
     */
    public LongStream lateMillis() {
        if (sending.isDone()) {
            throw new IllegalStateException("the bare tier is closed, or could not send");
        }
        return late.stream().mapToLong(Long::longValue);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
