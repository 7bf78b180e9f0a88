package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.deferred.amqp.Topology.Binding;
import dev.deferred.amqp.Topology.Exchange;
import dev.deferred.amqp.Topology.Queue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** The connector's parts wired as the connector wires them, without Quarkus; and a plain client to look at the broker with. */
final class Wiring {
    static final Duration SEND_TIMEOUT = Duration.ofSeconds(3);

    final BrokerThreads threads = new BrokerThreads();
    final TopologyDeclarer declarer = new TopologyDeclarer();
    final BrokerConnection publishing;
    final BrokerConnection consuming;
    private final Connection plain;
    private final Channel plainChannel;

    Wiring(int port, int plainPort) throws IOException, TimeoutException {
        this(port, plainPort, "guest", "guest");
    }

    /** As another user; the plain client stays an administrator. */
    Wiring(int port, int plainPort, String username, String password) throws IOException, TimeoutException {
        BrokerSettings settings = new BrokerSettings(
                List.of(new Address("127.0.0.1", port)),
                username,
                password,
                "/",
                false,
                Duration.ofSeconds(2),
                Duration.ofSeconds(2));
        publishing = new BrokerConnection("publish", settings, declarer, threads);
        consuming = new BrokerConnection("consume", settings, declarer, threads);
        BrokerSettings direct = new BrokerSettings(
                List.of(new Address("127.0.0.1", plainPort)),
                "guest",
                "guest",
                "/",
                false,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5));
        plain = direct.factory().newConnection(direct.addresses());
        plainChannel = plain.createChannel();
    }

    /** An outgoing channel with a fanout exchange and a quorum queue, both of that name. */
    OutgoingChannel outgoing(String name, Map<String, Object> queueArguments, int maxInFlight) {
        Map<String, Object> arguments = new java.util.HashMap<>(Map.of("x-queue-type", "quorum"));
        arguments.putAll(queueArguments);
        declarer.add(new Topology(
                List.of(new Exchange(name, "fanout", Map.of(), true)),
                List.of(new Queue(name, Map.copyOf(arguments), true)),
                List.of(new Binding(name, name, "#"))));
        return channel(name, true, maxInFlight);
    }

    /** An outgoing channel with a fanout exchange and a queue, both of that name. */
    OutgoingChannel outgoing(String name, boolean declare) {
        declarer.add(new Topology(
                List.of(new Exchange(name, "fanout", Map.of(), declare)),
                List.of(new Queue(name, Map.of("x-queue-type", "quorum"), declare)),
                List.of(new Binding(name, name, "#"))));
        return channel(name, declare, 100);
    }

    private OutgoingChannel channel(String name, boolean declared, int maxInFlight) {
        return new OutgoingChannel(
                new OutgoingAttributes(name, name, declared, true, SEND_TIMEOUT, maxInFlight, 1_000_000),
                publishing,
                threads,
                new RouteWatch(true, consuming::repair));
    }

    IncomingChannel incoming(String queue, int prefetch) {
        return new IncomingChannel(
                new IncomingAttributes("in-" + queue, queue, prefetch, Optional.empty()), consuming, threads);
    }

    /** A channel that reads a stream from its beginning. */
    IncomingChannel reading(String stream) {
        return new IncomingChannel(
                new IncomingAttributes("in-" + stream, stream, 100, Optional.of("first")), consuming, threads);
    }

    void start() {
        publishing.start();
        consuming.start();
    }

    static CompletableFuture<Void> send(OutgoingChannel channel, String id) {
        return send(
                channel,
                Outgoing.toOwnExchange(
                        "key", new AMQP.BasicProperties.Builder().messageId(id).build()));
    }

    static CompletableFuture<Void> send(
            OutgoingChannel channel, String exchange, String key, AMQP.BasicProperties properties) {
        return send(channel, new Outgoing(exchange, key, properties));
    }

    private static CompletableFuture<Void> send(OutgoingChannel channel, Outgoing to) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        channel.send(to, "body".getBytes(StandardCharsets.UTF_8), new Send.Ending() {
            @Override
            public void confirmed() {
                outcome.complete(null);
            }

            @Override
            public void failed(PublishFailure failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }

    /** The plain client, on a connection of its own. */
    Channel plain() {
        return plainChannel;
    }

    Channel freshPlain() throws IOException {
        return plain.createChannel();
    }

    long depth(String queue) throws IOException {
        return plainChannel.messageCount(queue);
    }

    void close() throws InterruptedException {
        publishing.stop(2_000);
        consuming.stop(2_000);
        threads.close();
        plain.abort(1_000);
    }
}
