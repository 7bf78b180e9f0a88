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
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The broker that both sides share: the one that {@code RABBITMQ_HOST} names, or a private node. Nothing is left on it. */
final class BenchBroker implements AutoCloseable {
    private final Optional<BrokerNode> node;
    private final Map<String, String> settings;
    private final String prefix = "bench-" + ProcessHandle.current().pid();
    private final List<Installation> installations = new ArrayList<>();
    private final Set<String> own = new LinkedHashSet<>();

    private BenchBroker(Optional<BrokerNode> node, Map<String, String> settings) {
        this.node = node;
        this.settings = settings;
    }

    /** @param coresOfItsOwn cores that only a private node has; this process and what it starts later have the others */
    static BenchBroker find(int coresOfItsOwn) {
        Optional<Map<String, String>> named = NamedBroker.find();
        if (named.isPresent()) {
            if (coresOfItsOwn > 0) {
                throw new IllegalArgumentException("--broker-cores is for a private node, not for a named broker");
            }
            return new BenchBroker(Optional.empty(), named.get());
        }
        BrokerNode node = Cores.apart(coresOfItsOwn, BrokerNode::start);
        return new BenchBroker(
                Optional.of(node),
                Map.of(
                        "rabbitmq-host", node.host(),
                        "rabbitmq-port", String.valueOf(node.port()),
                        "rabbitmq-username", node.username(),
                        "rabbitmq-password", node.password()));
    }

    /** Another service of that name with these tiers. */
    Installation installation(String name, List<Tier> tiers) {
        Installation installation = new Installation(new Names(prefix + "." + name), new Ladder(tiers));
        installations.add(installation);
        return installation;
    }

    /** Where it is, for a service. */
    Map<String, String> settings() {
        return settings;
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

    /** The name of an object of the bench's own. */
    String own(String name) {
        String full = prefix + ".bare." + name;
        own.add(full);
        return full;
    }

    @Override
    public void close() {
        if (node.isPresent()) {
            node.get().close();
            return;
        }
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            Stream<String> all = Stream.concat(installations.stream().flatMap(Installation::objects), own.stream());
            for (String name : all.toList()) {
                channel.queueDelete(name);
                channel.exchangeDelete(name);
            }
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("objects of " + prefix + " are left on the broker", e);
        }
    }
}
