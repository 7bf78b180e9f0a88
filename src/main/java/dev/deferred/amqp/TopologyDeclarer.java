package dev.deferred.amqp;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Makes the broker's objects as the {@link Topology} says. Declaring is idempotent; both connections do it, one after the
 * other, before their channels open.
 */
final class TopologyDeclarer {
    private Topology topology = Topology.EMPTY;

    /** Adds to what is declared from the next connection on. */
    synchronized void add(Topology more) {
        topology = topology.and(more);
    }

    synchronized Topology topology() {
        return topology;
    }

    /**
     * Declares everything, or, for objects that are not ours to declare, checks that they are there.
     *
     * @throws IOException when the broker refuses; its cause says which object
     */
    synchronized void declare(Connection connection) throws IOException, TimeoutException {
        try (Channel channel = connection.createChannel()) {
            for (Topology.Exchange exchange : topology.exchanges()) {
                if (exchange.declared()) {
                    channel.exchangeDeclare(
                            exchange.name(),
                            BuiltinExchangeType.valueOf(exchange.type().toUpperCase(java.util.Locale.ROOT)),
                            true,
                            false,
                            exchange.arguments());
                } else {
                    channel.exchangeDeclarePassive(exchange.name());
                }
            }
            for (Topology.Queue queue : topology.queuesInOrder()) {
                if (queue.declared()) {
                    channel.queueDeclare(queue.name(), true, false, false, queue.arguments());
                    for (Topology.Binding binding : topology.bindingsOf(queue)) {
                        channel.queueBind(queue.name(), binding.exchange(), binding.routingKey());
                    }
                } else {
                    channel.queueDeclarePassive(queue.name());
                }
            }
        }
    }
}
