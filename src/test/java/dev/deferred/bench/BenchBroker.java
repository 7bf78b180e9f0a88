package dev.deferred.bench;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.deferred.core.Ladder;
import dev.deferred.core.Tier;
import dev.deferred.scheduling.Names;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.NamedBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** The broker that both sides share: the one that {@code RABBITMQ_HOST} names, or a private node. Nothing is left on it. */
final class BenchBroker implements AutoCloseable {
    private static final String TIERS = "1s,2s,5s,10s,20s,30s,1m,2m,5m,10m,15m,30m,1h,2h,6h,12h,1d,7d";

    /** The names of the service's objects on it. */
    final Names names = new Names("bench-" + ProcessHandle.current().pid());

    private final Optional<BrokerNode> node;
    private final Map<String, String> settings;

    private BenchBroker(Optional<BrokerNode> node, Map<String, String> settings) {
        this.node = node;
        this.settings = settings;
    }

    static BenchBroker find() {
        Optional<Map<String, String>> named = NamedBroker.find();
        if (named.isPresent()) {
            return new BenchBroker(Optional.empty(), named.get());
        }
        BrokerNode node = BrokerNode.start();
        return new BenchBroker(
                Optional.of(node),
                Map.of(
                        "rabbitmq-host", node.host(),
                        "rabbitmq-port", String.valueOf(node.port()),
                        "rabbitmq-username", node.username(),
                        "rabbitmq-password", node.password()));
    }

    /** What the service needs to be told. */
    Map<String, String> serviceSettings() {
        Map<String, String> all = new HashMap<>(settings);
        all.put("deferred.prefix", names.prefix());
        all.put("deferred.tiers", TIERS);
        return all;
    }

    Connection connect() throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(settings.get("rabbitmq-host"));
        factory.setPort(Integer.parseInt(settings.get("rabbitmq-port")));
        factory.setUsername(settings.get("rabbitmq-username"));
        factory.setPassword(settings.get("rabbitmq-password"));
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection("bench");
    }

    /** Removes all that waits in the service's tier of that length. */
    void purgeDelay(Connection connection, Duration tier) throws IOException, TimeoutException {
        try (Channel channel = connection.createChannel()) {
            channel.queuePurge(names.delay(Tier.of(tier)));
        }
    }

    /** The name of an object of the bench's own. */
    String own(String name) {
        return names.prefix() + ".bare." + name;
    }

    @Override
    public void close() {
        if (node.isPresent()) {
            node.get().close();
            return;
        }
        List<String> all = new ArrayList<>(List.of(names.in(), names.due(), names.tasks(), names.parked()));
        for (Tier tier : Ladder.parse(TIERS).tiers()) {
            all.add(names.delay(tier));
        }
        all.addAll(List.of(own("wait"), own("delay"), own("due"), own("service-seen")));
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            for (String name : all) {
                channel.queueDelete(name);
                channel.exchangeDelete(name);
            }
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("objects of " + names.prefix() + " are left on the broker", e);
        }
    }
}
