package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;

/**
 * Metadata of an outgoing message: where it goes and its properties.
 *
 * @param exchange the exchange; empty text for the channel's own
 * @param routingKey at most 255 bytes of UTF-8
 * @param properties with a message-id; always sent with delivery mode 2
 */
public record Outgoing(String exchange, String routingKey, AMQP.BasicProperties properties) {}
