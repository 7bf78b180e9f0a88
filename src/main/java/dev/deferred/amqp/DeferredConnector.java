package dev.deferred.amqp;

import dev.deferred.core.Delays;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.connector.InboundConnector;
import io.smallrye.reactive.messaging.connector.OutboundConnector;
import io.smallrye.reactive.messaging.health.HealthReport;
import io.smallrye.reactive.messaging.health.HealthReporter;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;
import org.jboss.logging.Logger;

/**
 * The SmallRye Reactive Messaging connector {@value #NAME}: channels on RabbitMQ whose sends end in exactly one known outcome.
 *
 * <p>All channels share two connections, one to publish and one to consume, so that a broker that blocks publishers still
 * delivers. Nothing is connected before every channel is known; a broker that is away is looked for without end.
 */
@ApplicationScoped
@Connector(DeferredConnector.NAME)
public class DeferredConnector implements InboundConnector, OutboundConnector, HealthReporter {
    /** The connector's name, for {@code mp.messaging.<direction>.<channel>.connector}. */
    public static final String NAME = "deferred-rabbitmq";

    private static final Logger LOG = Logger.getLogger(DeferredConnector.class);

    /** How often the topology is declared anew, or checked: what somebody deleted is missing no longer than this. */
    private static final Duration REPAIR_EVERY = Duration.ofSeconds(30);

    @Inject
    Config config;

    @Inject
    @Any
    Instance<Supplier<Set<String>>> namedRoutingKeys;

    private final TopologyDeclarer declarer = new TopologyDeclarer();
    private final Map<String, OutgoingChannel> outgoing = new LinkedHashMap<>();
    private final Map<String, IncomingChannel> incoming = new LinkedHashMap<>();
    private BrokerThreads threads;
    private BrokerConnection publishing;
    private BrokerConnection consuming;
    private TakeOut takeOut;
    private Optional<PolicyCheck> policies = Optional.empty();

    /** Before anything else, so that what is wrong is one sentence for an operator to read. */
    static void check(@Observes @Priority(1) StartupEvent event, Config config) {
        BrokerSettings.from(config);
        managementPort(config);
    }

    private static Optional<Integer> managementPort(Config config) {
        return BrokerSettings.port(config, "rabbitmq-http-port");
    }

    @PostConstruct
    void prepare() {
        BrokerSettings settings = BrokerSettings.from(config);
        threads = new BrokerThreads();
        publishing = new BrokerConnection("publish", settings, declarer, threads);
        consuming = new BrokerConnection("consume", settings, declarer, threads);
        takeOut = new TakeOut(settings, threads);
        policies = managementPort(config)
                .map(port -> new PolicyCheck(new ManagementApi(settings, port), declarer::topology, threads));
        policies.ifPresent(consuming::add);
    }

    @Override
    public Flow.Publisher<? extends Message<?>> getPublisher(Config channelConfig) {
        ChannelAttributes attributes = new ChannelAttributes(channelConfig);
        declarer.add(attributes.topology(this::routingKeysNamed));
        IncomingChannel channel = new IncomingChannel(IncomingAttributes.of(attributes), consuming, threads);
        incoming.put(attributes.channel(), channel);
        return channel.messages();
    }

    @Override
    public Flow.Subscriber<? extends Message<?>> getSubscriber(Config channelConfig) {
        ChannelAttributes attributes = new ChannelAttributes(channelConfig);
        declarer.add(attributes.topology(this::routingKeysNamed));
        OutgoingAttributes own = OutgoingAttributes.of(attributes);
        // repair on the consuming connection: publishing must not wait for it
        RouteWatch watch = new RouteWatch(own.hasQueue(), consuming::repair);
        OutgoingChannel channel = new OutgoingChannel(own, publishing, threads, watch);
        outgoing.put(own.channel(), channel);
        return new OutgoingSubscriber(channel);
    }

    private Set<String> routingKeysNamed(String name) {
        return namedRoutingKeys.select(Identifier.Literal.of(name)).get().get();
    }

    /** After the channels are wired: Quarkus wires them at {@code LIBRARY_BEFORE}. */
    void start(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        publishing.start();
        consuming.start();
        threads.every(REPAIR_EVERY, consuming::repair);
    }

    /** Takes nothing new, waits for what is in hand, and closes; what is not settled by then the broker delivers again. */
    void stop(@Observes ShutdownEvent event) {
        new GracefulStop(Delays.parse(config.getValue("deferred.shutdown-grace", String.class)))
                .stop(incoming.values(), outgoing.values(), List.of(publishing, consuming));
        threads.close();
        LOG.debug("stopped");
    }

    /** The topology of all channels. */
    public Topology topology() {
        return declarer.topology();
    }

    /**
     * How many messages are ready in each of the queues; a queue that is missing has no entry. Fails with a
     * {@link PublishFailure} when there is no connection.
     */
    public Uni<Map<String, Long>> readyIn(List<String> queues) {
        return new QueueDepths(consuming).ready(queues);
    }

    /**
     * Takes messages out of a queue, from its front; the others stay in their order. Ends within about half a minute: it waits
     * up to 5 s for another search, looks for up to 10 s, and lets what it began come to its end.
     *
     * @param most how many to take at most, from 1
     * @return fails with a {@link PublishFailure} when the broker can't be reached or refuses
     */
    public Uni<TakenOut> takeOut(String queue, Choice choice, int most) {
        return takeOut.from(queue, choice, most);
    }

    @Override
    public HealthReport getReadiness() {
        HealthReport.HealthReportBuilder report = HealthReport.builder();
        outgoing.forEach((name, channel) -> add(report, name, publishing, channel.fault()));
        incoming.forEach((name, channel) -> add(report, name, consuming, channel.fault()));
        // told, but not a reason to take the service out of work
        policies.map(PolicyCheck::findings)
                .filter(findings -> !findings.isEmpty())
                .ifPresent(findings -> report.add("policies", true, String.join("; ", findings)));
        return report.build();
    }

    private static void add(
            HealthReport.HealthReportBuilder report, String channel, BrokerConnection on, Optional<String> fault) {
        Optional<String> why = on.problem().map(BrokerProblem::text).or(() -> fault);
        report.add(channel, why.isEmpty(), why.orElse(null));
    }
}
