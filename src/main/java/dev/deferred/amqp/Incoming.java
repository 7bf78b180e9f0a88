package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * Metadata of an incoming message.
 *
 * @param exchange the exchange it came through last
 * @param routingKey its routing key
 * @param properties its properties and headers, as the broker sent them
 * @param redelivered whether it may have been delivered before
 * @param isOurs whether it is still this consumer's to bring to its end: false once the channel that delivered it is gone, for
 *     then the broker delivers it again; but true when its queue was deleted, for then nobody else has it
 */
public record Incoming(
        String exchange,
        String routingKey,
        AMQP.BasicProperties properties,
        boolean redelivered,
        BooleanSupplier isOurs) {
    /** The metadata of a message that a channel of this connector delivered. */
    public static Incoming of(Message<?> message) {
        return message.getMetadata(Incoming.class).orElseThrow();
    }
}
