package dev.deferred.faults;

import static org.awaitility.Awaitility.await;

import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.FaultProxy;
import dev.deferred.testing.QuorumLeaders;
import dev.deferred.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A broker of its own, a proxy in front of it, and the packaged service that reaches it only through that proxy. */
final class FaultBench implements AutoCloseable {
    /** Few and short tiers, so that tasks pass every stage within seconds. */
    static final String TIERS = "1s,2s,5s";

    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(60);

    final BrokerNode broker;
    final FaultProxy proxy;
    final ServiceProcess service;

    private FaultBench(BrokerNode broker, FaultProxy proxy, ServiceProcess service) {
        this.broker = broker;
        this.proxy = proxy;
        this.service = service;
    }

    /** Starts a broker and then the service, which is not yet ready when this returns. */
    static FaultBench start(String name) {
        return start(name, Map.of());
    }

    /** The same with further settings. */
    static FaultBench start(String name, Map<String, String> settings) {
        return serviceFor(BrokerNode.start(), name, settings);
    }

    /** Starts only the service; the broker is stopped, has never been used, and is started by the caller. */
    static FaultBench startWithoutBroker(String name) {
        BrokerNode broker = BrokerNode.start();
        broker.stop();
        return serviceFor(broker, name, Map.of());
    }

    private static FaultBench serviceFor(BrokerNode broker, String name, Map<String, String> settings) {
        try {
            FaultProxy proxy = FaultProxy.inFrontOf(broker.port());
            Map<String, String> properties = new HashMap<>(settings);
            properties.put("rabbitmq-host", "127.0.0.1");
            properties.put("rabbitmq-port", String.valueOf(proxy.port()));
            properties.put("deferred.tiers", TIERS);
            return new FaultBench(broker, proxy, ServiceProcess.start(name, properties));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the stopped or killed broker, and does for it what an operator may have to. */
    void startBrokerAgain() {
        broker.startAgain();
        QuorumLeaders.elect(broker);
    }

    /** Waits until everything works, and starts to watch what happens to tasks of a type of its own. */
    Scenario begin(String type) {
        proxy.restore();
        awaitReady();
        return Scenario.begin(this, type);
    }

    /** Waits until the service says that it is ready, without any help. */
    void awaitReady() {
        await("the service to be ready").atMost(RECOVERY_LIMIT).until(service.http()::isReady);
    }

    @Override
    public void close() throws IOException {
        service.close();
        proxy.close();
        broker.close();
    }
}
