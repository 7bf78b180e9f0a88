package dev.deferred.bench;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;

/**
 * A worker of the Java client alone whose work fails a few times: each time it publishes a copy, persistent, mandatory and
 * confirmed, into a retry queue like a tier of the service (quorum, TTL, at-least-once dead-lettering), and then acknowledges.
 */
final class BareWorker {
    private static final String FAILED = "x-failed";

    private final Connection connection;
    private final String work;
    private final String wait;
    private final Channel consuming;
    private final Channel publishing;
    /** Delivery tags that wait for the confirm of their copy. */
    private final NavigableMap<Long, Long> unconfirmed = new ConcurrentSkipListMap<>();

    private volatile CountDownLatch left = new CountDownLatch(0);

    /** Declares the work queue and, behind it, the retry queue, each with an exchange of the same name. */
    BareWorker(Connection connection, String work, String wait) throws IOException {
        this.connection = connection;
        this.work = work;
        this.wait = wait;
        consuming = connection.createChannel();
        publishing = connection.createChannel();
        declare(work, Map.of("x-queue-type", "quorum"));
        declare(wait, BareClient.delayQueue(Retries.DELAY, work));
        publishing.confirmSelect();
        publishing.addReturnListener(returned -> refused("returned a message: " + returned.getReplyText()));
        publishing.addConfirmListener(this::confirmed, (tag, multiple) -> refused("refused a message"));
        consuming.basicQos(Retries.PREFETCH);
        consuming.basicConsume(work, false, (tag, delivery) -> handle(delivery), tag -> {});
    }

    private void declare(String name, Map<String, Object> arguments) throws IOException {
        consuming.exchangeDeclare(name, BuiltinExchangeType.FANOUT, true);
        consuming.queueDeclare(name, true, false, false, arguments);
        consuming.queueBind(name, name, "");
    }

    /** Works off that many new messages, each of which fails {@link Retries#FAILURES} times. */
    Pace run(int count) throws IOException {
        left = new CountDownLatch(count);
        Messages messages = new Messages();
        long began = System.nanoTime();
        try (Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            for (int i = 0; i < count; i++) {
                channel.basicPublish(
                        work, Messages.TYPE, true, failed(messages.properties(Duration.ZERO), 0), Messages.body());
            }
            channel.waitForConfirmsOrDie(60_000);
            left.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while messages were worked off", e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("the broker did not confirm within a minute", e);
        }
        return new Pace(count, Duration.ofNanos(System.nanoTime() - began));
    }

    private static AMQP.BasicProperties failed(AMQP.BasicProperties properties, long times) {
        return properties.builder().headers(Map.of(FAILED, times)).build();
    }

    private void handle(Delivery delivery) throws IOException {
        long tag = delivery.getEnvelope().getDeliveryTag();
        long times = (Long) delivery.getProperties().getHeaders().get(FAILED);
        if (times == Retries.FAILURES) {
            consuming.basicAck(tag, false);
            left.countDown();
            return;
        }
        unconfirmed.put(publishing.getNextPublishSeqNo(), tag);
        publishing.basicPublish(
                wait, Messages.TYPE, true, failed(delivery.getProperties(), times + 1), delivery.getBody());
    }

    private void confirmed(long tag, boolean multiple) throws IOException {
        if (!multiple) {
            consuming.basicAck(unconfirmed.remove(tag), false);
            return;
        }
        NavigableMap<Long, Long> upToTag = unconfirmed.headMap(tag, true);
        for (Map.Entry<Long, Long> next; (next = upToTag.pollFirstEntry()) != null; ) {
            consuming.basicAck(next.getValue(), false);
        }
    }

    private static void refused(String what) {
        throw new IllegalStateException("the broker " + what);
    }
}
