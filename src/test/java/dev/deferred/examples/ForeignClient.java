package dev.deferred.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.config.Config;

/** A client of the broker on a connection of its own, as an application would be. */
final class ForeignClient implements AutoCloseable {
    /** How late a message may be here: much later than is documented for a quiet machine, for tests on busy ones. */
    private static final long LATE_MILLIS = 1_000;

    /** A message that arrived: in which queue, and how long after the client began to count. */
    record Arrival(String queue, String text, String routingKey, long afterMillis, AMQP.BasicProperties properties) {
        /** Not early, and not late. */
        boolean isOnTime(long dueMillis) {
            return afterMillis >= dueMillis && afterMillis <= dueMillis + LATE_MILLIS;
        }
    }

    /** Everything that steers a message but its text. */
    record Envelope(String exchange, String routingKey, Map<String, Object> headers) {}

    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
    private final Connection connection;
    private final Channel channel;
    private long began = System.currentTimeMillis();

    ForeignClient(Config config) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(config.getValue("rabbitmq-host", String.class));
        factory.setPort(config.getValue("rabbitmq-port", Integer.class));
        connection = factory.newConnection();
        channel = openChannel();
        channel.confirmSelect();
    }

    Channel openChannel() throws IOException {
        return connection.createChannel();
    }

    Channel channel() {
        return channel;
    }

    void exchange(String name, BuiltinExchangeType type) throws IOException {
        channel.exchangeDeclare(name, type, true);
    }

    /** Declares a durable queue, binds it and consumes it. */
    void listen(String queue, String exchange, String routingKey) throws IOException {
        channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueBind(queue, exchange, routingKey);
        listen(queue);
    }

    /** Consumes a queue that is there. */
    void listen(String queue) throws IOException {
        channel.basicConsume(
                queue,
                true,
                (tag, delivery) -> arrivals.add(new Arrival(
                        queue,
                        new String(delivery.getBody(), UTF_8),
                        delivery.getEnvelope().getRoutingKey(),
                        System.currentTimeMillis() - began,
                        delivery.getProperties())),
                tag -> {});
    }

    /** Counts the time from now on. */
    void begin() {
        began = System.currentTimeMillis();
    }

    /** Publishes text, and returns when the broker has confirmed it. */
    void publish(Envelope to, String text) throws Exception {
        publish(to, new AMQP.BasicProperties.Builder(), text);
    }

    void publish(Envelope to, AMQP.BasicProperties.Builder properties, String text) throws Exception {
        channel.basicPublish(
                to.exchange(),
                to.routingKey(),
                properties.deliveryMode(2).headers(to.headers()).build(),
                text.getBytes(UTF_8));
        channel.waitForConfirmsOrDie(5_000);
    }

    List<Arrival> awaitArrivals(int count) {
        await("arrivals").atMost(Duration.ofSeconds(30)).until(() -> arrivals.size() >= count);
        return List.copyOf(arrivals);
    }

    /** What arrived in one queue, in its order. */
    List<Arrival> in(String queue) {
        return arrivals.stream()
                .filter(arrival -> arrival.queue().equals(queue))
                .toList();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
