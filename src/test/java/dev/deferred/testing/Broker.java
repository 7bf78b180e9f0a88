package dev.deferred.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The broker of {@code @QuarkusTest} classes, in this order: the one that {@code RABBITMQ_HOST} names, the one below
 * {@code TEST_BROKER_ROOT}, the one that Dev Services start where a Docker engine answers, a private node of the
 * installed {@code rabbitmq-server}. The private node is started once and shared until this JVM ends. Every application
 * gets a {@code deferred.prefix} of its own, so that neither tests nor runs on one broker meet each other's tasks.
 *
 * <p>To be named by {@code @WithTestResource}; by {@code @QuarkusTestResource} it would be given to every test class,
 * also to those that bring a broker of another kind.
 */
public final class Broker implements QuarkusTestResourceLifecycleManager {
    /** Where the shared node is noted: test classes are loaded many times over in one JVM, its properties are not. */
    private static final String SHARED_PORT = "dev.deferred.testing.shared-broker-port";

    @Override
    public Map<String, String> start() {
        var settings = new HashMap<>(NamedBroker.find().orElseGet(Broker::started));
        settings.put("deferred.prefix", "test-" + UUID.randomUUID().toString().substring(0, 8));
        return settings;
    }

    /** Nothing to do: what was started ends with the JVM. */
    @Override
    public void stop() {}

    private static Map<String, String> started() {
        if (!InstalledBroker.rootNamed() && ContainerEngine.answers()) {
            return Map.of(); // Dev Services bring their own settings
        }
        return Map.of(
                "rabbitmq-host", "127.0.0.1",
                "rabbitmq-port", sharedPort(),
                "rabbitmq-username", "guest",
                "rabbitmq-password", "guest");
    }

    private static String sharedPort() {
        synchronized (Runtime.getRuntime()) {
            String port = System.getProperty(SHARED_PORT);
            if (port == null) {
                port = String.valueOf(BrokerNode.start().port());
                System.setProperty(SHARED_PORT, port);
            }
            return port;
        }
    }
}
