package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/**
 * One AMQP channel in confirm mode with the sends published on it. Delivery tags mean something only here: a new channel
 * counts anew, so a confirm can never reach a message of an earlier channel.
 */
final class ConfirmedChannel implements ConfirmListener, ReturnListener {
    private final Channel channel;
    private final ConcurrentNavigableMap<Long, Send> unconfirmed = new ConcurrentSkipListMap<>();
    /** Exchanges that took a message here. */
    private final Set<String> working = ConcurrentHashMap.newKeySet();

    private volatile long lastAnswerNanos = System.nanoTime();

    ConfirmedChannel(Connection connection) throws IOException {
        this.channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the broker allows no further channel on this connection");
        }
        channel.confirmSelect();
        channel.addConfirmListener(this);
        channel.addReturnListener(this);
    }

    Channel channel() {
        return channel;
    }

    /** Publishes mandatory; the answer comes later. On the connection's thread only. */
    void publish(Send send) throws IOException {
        long tag = channel.getNextPublishSeqNo();
        unconfirmed.put(tag, send);
        send.publishedOn(this);
        try {
            channel.basicPublish(send.exchange, send.routingKey, true, send.properties, send.body);
        } catch (AlreadyClosedException e) {
            unconfirmed.remove(tag);
            send.notPublished();
            throw e;
        }
    }

    /** When the broker last confirmed, refused or returned anything here. */
    long lastAnswerNanos() {
        return lastAnswerNanos;
    }

    @Override
    public void handleAck(long tag, boolean multiple) {
        settle(tag, multiple, send -> {
            working.add(send.exchange);
            send.confirm();
        });
    }

    @Override
    public void handleNack(long tag, boolean multiple) {
        settle(
                tag,
                multiple,
                send -> send.fail(
                        PublishFailure.Reason.REFUSED,
                        "the broker refused the message: a queue behind exchange \"" + send.exchange
                                + "\" is full or failed"));
    }

    private void settle(long tag, boolean multiple, Consumer<Send> how) {
        lastAnswerNanos = System.nanoTime();
        if (multiple) {
            Map<Long, Send> upToTag = unconfirmed.headMap(tag, true);
            upToTag.values().forEach(how);
            upToTag.clear();
        } else {
            Send send = unconfirmed.remove(tag);
            if (send != null) {
                how.accept(send);
            }
        }
    }

    /**
     * The broker closed this channel for want of an exchange. The last message to it was not taken. What came before it may have
     * been, where the exchange was there before.
     */
    void exchangeGone(String exchange, String why) {
        List<Send> onTheWay = unconfirmed.values().stream()
                .filter(send -> send.exchange.equals(exchange))
                .toList();
        for (int i = 0; i < onTheWay.size(); i++) {
            boolean untaken = i == onTheWay.size() - 1 || !working.contains(exchange);
            onTheWay.get(i)
                    .fail(untaken ? PublishFailure.Reason.UNROUTABLE : PublishFailure.Reason.OUTCOME_UNKNOWN, why);
        }
    }

    /** A returned message is confirmed right afterwards: it must have failed by then. */
    @Override
    public void handleReturn(
            int replyCode,
            String replyText,
            String exchange,
            String routingKey,
            AMQP.BasicProperties properties,
            byte[] body) {
        lastAnswerNanos = System.nanoTime();
        for (Send send : unconfirmed.values()) {
            if (!send.hasEnded() && sameMessage(send, exchange, routingKey, properties)) {
                send.fail(
                        PublishFailure.Reason.UNROUTABLE,
                        "no queue is bound to exchange \"" + exchange + "\" for routing key \"" + routingKey + "\"");
                return;
            }
        }
    }

    private static boolean sameMessage(Send send, String exchange, String routingKey, AMQP.BasicProperties properties) {
        return send.carries(properties.getMessageId())
                && send.exchange.equals(exchange)
                && send.routingKey.equals(routingKey);
    }
}
