package dev.deferred.testing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.deferred.testing.Seen.Place;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Another service, as its author might have written it: its own durable quorum queue, bound to the exchange of due tasks
 * by a type, consumed with the bare client on a connection of its own. It empties the parking queue as well. Every
 * delivery is entered into the evidence before it is acknowledged; a lost connection is made anew until it is closed.
 */
public final class OutsideConsumer implements AutoCloseable {
    private static final String DUE_TASKS = "deferred.tasks";
    private static final String PARKED = "deferred.parked";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ConnectionFactory factory = new ConnectionFactory();
    private final String type;
    private final Evidence evidence;
    private final CountDownLatch consuming = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    private OutsideConsumer(String host, int port, String type, Evidence evidence) {
        factory.setHost(host);
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setRequestedHeartbeat(5);
        this.type = type;
        this.evidence = evidence;
        thread = new Thread(this::consumeUntilClosed, "outside-" + type);
        thread.setDaemon(true);
    }

    /** Starts, and returns when it consumes; the service must have declared its topology by then or do it within 30 s. */
    public static OutsideConsumer start(BrokerNode broker, String type, Evidence evidence) {
        OutsideConsumer consumer = new OutsideConsumer(broker.host(), broker.port(), type, evidence);
        consumer.thread.start();
        try {
            if (!consumer.consuming.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("cannot consume tasks of type " + type + " within 30 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return consumer;
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }

    private void consumeUntilClosed() {
        while (closed.getCount() > 0) {
            CountDownLatch ended = new CountDownLatch(1);
            try (Connection connection = factory.newConnection("outside-" + type)) {
                connection.addShutdownListener(cause -> ended.countDown());
                consume(connection, ended);
                consuming.countDown();
                ended.await();
            } catch (IOException | TimeoutException | com.rabbitmq.client.ShutdownSignalException brokerAway) {
                ended.countDown();
            } catch (InterruptedException closing) {
                return;
            }
            pause();
        }
    }

    private void consume(Connection connection, CountDownLatch ended) throws IOException {
        Channel channel = connection.createChannel();
        channel.addShutdownListener(cause -> ended.countDown());
        channel.basicQos(200);
        channel.exchangeDeclare(DUE_TASKS, BuiltinExchangeType.TOPIC, true);
        String queue = "outside." + type;
        channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueBind(queue, DUE_TASKS, type);
        for (Map.Entry<String, Place> source :
                Map.of(queue, Place.DESTINATION, PARKED, Place.PARKED).entrySet()) {
            channel.basicConsume(
                    source.getKey(),
                    false,
                    (tag, delivery) -> enter(channel, delivery, source.getValue()),
                    (tag, cancelled) -> ended.countDown());
        }
    }

    private void enter(Channel channel, Delivery delivery, Place place) throws IOException {
        Instant now = Instant.now();
        Map<String, Object> headers = delivery.getProperties().getHeaders();
        Object attempt = headers == null ? null : headers.get("deferred-attempt");
        evidence.add(new Seen(
                JSON.readTree(delivery.getBody()).path("ref").asText(),
                String.valueOf(delivery.getProperties().getMessageId()),
                now,
                attempt instanceof Number number ? number.longValue() : 0,
                place));
        channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
    }

    private void pause() {
        try {
            closed.await(200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException closing) {
            closed.countDown();
        }
    }
}
