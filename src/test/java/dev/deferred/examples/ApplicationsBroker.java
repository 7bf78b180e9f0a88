package dev.deferred.examples;

import dev.deferred.testing.BrokerNode;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A broker for the examples alone, so that they can count its queues and use the names that everybody uses. */
public final class ApplicationsBroker implements QuarkusTestResourceLifecycleManager {
    private BrokerNode node;

    @Override
    public Map<String, String> start() {
        node = BrokerNode.start();
        return Map.of(
                "rabbitmq-host", node.host(),
                "rabbitmq-port", String.valueOf(node.port()),
                "rabbitmq-username", node.username(),
                "rabbitmq-password", node.password(),
                "deferred.tiers", "100ms,200ms,500ms,1s,2s,5s",
                "deferred.destinations", "shop.*,devices",
                "deferred.delay-headers", "x-delay,new-delay");
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(this, new TestInjector.MatchesType(ApplicationsBroker.class));
    }

    /** The names of all queues. */
    Set<String> queues() {
        return new TreeSet<>(node.ctl("list_queues", "name").lines().toList());
    }

    /** Adds a user, whose password is its name, with permissions as patterns of names. */
    void addUser(String name, String configure, String write, String read) {
        node.ctl("add_user", name, name);
        node.ctl("set_permissions", name, configure, write, read);
    }

    @Override
    public void stop() {
        node.close();
    }
}
