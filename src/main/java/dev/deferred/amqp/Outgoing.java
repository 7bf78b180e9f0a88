package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import java.util.Optional;

/**
 * Metadata of an outgoing message: where it goes and its properties.
 *
 * @param exchange an exchange by name, the empty text for the broker's default exchange; empty for the channel's own
 * @param routingKey at most 255 bytes of UTF-8
 * @param properties with a message-id; always sent with delivery mode 2
 */
public record Outgoing(Optional<String> exchange, String routingKey, AMQP.BasicProperties properties) {
    /** To a named exchange. */
    public Outgoing(String exchange, String routingKey, AMQP.BasicProperties properties) {
        this(Optional.of(exchange), routingKey, properties);
    }

    /** To the channel's own exchange. */
    public static Outgoing toOwnExchange(String routingKey, AMQP.BasicProperties properties) {
        return new Outgoing(Optional.empty(), routingKey, properties);
    }
}
