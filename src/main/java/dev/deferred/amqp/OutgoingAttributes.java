package dev.deferred.amqp;

import java.time.Duration;

/**
 * The attributes of an outgoing channel.
 *
 * @param channel its name
 * @param exchange where messages go that name no exchange
 * @param declared whether the service makes that exchange, again and again if need be; else it must be there
 * @param hasQueue whether the channel declares a queue that its exchange must reach
 * @param sendTimeout until when a send has ended: 100 ms to 10 min
 * @param maxInFlight how many sends may be open at a time: 1 to 100,000
 * @param maxBodyBytes the largest body: up to 16 MiB, RabbitMQ's own limit from 4.0 on
 */
record OutgoingAttributes(
        String channel,
        String exchange,
        boolean declared,
        boolean hasQueue,
        Duration sendTimeout,
        int maxInFlight,
        int maxBodyBytes) {
    static OutgoingAttributes of(ChannelAttributes attributes) {
        return new OutgoingAttributes(
                attributes.channel(),
                attributes.required("exchange.name"),
                attributes.flag("declare", true),
                attributes.text("queue.name").isPresent(),
                Duration.ofMillis(attributes.number("send-timeout", 5_000, 100, 600_000)),
                (int) attributes.number("max-in-flight", 1_024, 1, 100_000),
                (int) attributes.number("max-body-bytes", 16_777_216, 0, 16_777_216));
    }
}
