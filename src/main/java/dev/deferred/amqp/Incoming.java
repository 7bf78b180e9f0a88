package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import java.util.function.BooleanSupplier;

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
        BooleanSupplier isOurs) {}
