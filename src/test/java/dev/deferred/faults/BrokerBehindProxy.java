package dev.deferred.faults;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.FaultProxy;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** A broker which the application under test, with all its connectors, reaches only through a {@link FaultProxy}. */
public final class BrokerBehindProxy implements QuarkusTestResourceLifecycleManager {
    /** Names the exchange that the stock connector publishes to, and the queue bound to it. */
    static final String STOCK = "stock";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private BrokerNode broker;
    private FaultProxy proxy;

    @Override
    public Map<String, String> start() {
        broker = BrokerNode.start();
        try {
            proxy = FaultProxy.inFrontOf(broker.port());
            declareStockQueue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the broker does not answer", e);
        }
        return Map.of(
                "rabbitmq-host",
                "127.0.0.1",
                "rabbitmq-port",
                String.valueOf(proxy.port()),
                "deferred.prefix",
                "deferred");
    }

    /** After the broker that all tests have, whose settings it replaces. */
    @Override
    public int order() {
        return 1;
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(this, new TestInjector.MatchesType(BrokerBehindProxy.class));
    }

    @Override
    public void stop() {
        try {
            proxy.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            broker.close();
        }
    }

    BrokerNode broker() {
        return broker;
    }

    FaultProxy proxy() {
        return proxy;
    }

    /** Takes what is in the stock connector's queue, until the last one has come or none came for five seconds. */
    Set<String> takeUntil(String last) throws IOException, TimeoutException {
        Set<String> bodies = new HashSet<>();
        try (Connection connection = directly()) {
            Channel channel = connection.createChannel();
            Instant lastCame = Instant.now();
            while (!bodies.contains(last) && lastCame.plus(PATIENCE).isAfter(Instant.now())) {
                GetResponse got = channel.basicGet(STOCK, true);
                if (got != null) {
                    bodies.add(new String(got.getBody(), StandardCharsets.UTF_8));
                    lastCame = Instant.now();
                }
            }
        }
        return bodies;
    }

    private void declareStockQueue() throws IOException, TimeoutException {
        try (Connection connection = directly()) {
            Channel channel = connection.createChannel();
            channel.exchangeDeclare(STOCK, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(STOCK, true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind(STOCK, STOCK, "#");
        }
    }

    private Connection directly() throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        return factory.newConnection("beside the proxy");
    }
}
