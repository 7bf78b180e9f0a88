package dev.deferred.bench;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.Awaitility;

/** A consumer outside the service that notes, for each message, how many milliseconds after its due time it arrived. */
final class Lateness {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Channel channel;
    /** What has arrived and was not taken yet. */
    private final BlockingQueue<Long> arrived = new LinkedBlockingQueue<>();

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
        arrived.add(System.currentTimeMillis() - dueAt);
        channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
    }

    /** Waits until as many have arrived as were sent, and takes them. */
    List<Long> take(long count) {
        Awaitility.await("all tasks to arrive").atMost(LIMIT).until(() -> arrived.size() >= count);
        return takeWhatCame();
    }

    /** Takes those that have arrived by now. */
    List<Long> takeWhatCame() {
        List<Long> taken = new ArrayList<>();
        arrived.drainTo(taken);
        return taken;
    }
}
