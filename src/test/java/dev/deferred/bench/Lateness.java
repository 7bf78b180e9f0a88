package dev.deferred.bench;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A consumer outside the service that notes, for each message, how many milliseconds after its due time it arrived. */
final class Lateness {
    private final Channel channel;
    private final ConcurrentLinkedQueue<Long> millis = new ConcurrentLinkedQueue<>();

    private long expected;

    /** Consumes a quorum queue {@code name} of its own, bound to the exchange of what is due. */
    Lateness(Connection connection, String name, String dueExchange) throws IOException {
        channel = connection.createChannel();
        channel.basicQos(500);
        channel.exchangeDeclare(dueExchange, BuiltinExchangeType.TOPIC, true);
        channel.queueDeclare(name, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueBind(name, dueExchange, Messages.TYPE);
        channel.basicConsume(name, false, (tag, delivery) -> note(delivery), tag -> {});
    }

    private void note(Delivery delivery) throws IOException {
        long dueAt = (Long) delivery.getProperties().getHeaders().get(Messages.DUE_AT);
        millis.add(System.currentTimeMillis() - dueAt);
        channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
    }

    /** Waits until as many messages more have arrived as were sent, and returns the 99th percentile of these alone, in ms. */
    long awaitP99(Pace sent) {
        Awaitility.await("all tasks to arrive")
                .atMost(Duration.ofSeconds(60))
                .until(() -> millis.size() >= expected + sent.count());
        expected += sent.count();
        return quantile(millis.stream().skip(expected - sent.count()), 0.99);
    }

    /** Starts anew: what has arrived was to warm up. */
    void forget() {
        millis.clear();
        expected = 0;
    }

    /** The lateness that this share of the messages did not exceed, in ms; 0.5 is the median, 1 the maximum. */
    long quantile(double share) {
        return quantile(millis.stream(), share);
    }

    private static long quantile(Stream<Long> lateness, double share) {
        long[] sorted = lateness.mapToLong(Long::longValue).sorted().toArray();
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }
}
