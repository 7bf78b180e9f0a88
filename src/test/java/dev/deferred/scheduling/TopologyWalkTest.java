package dev.deferred.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.amqp.Topology;
import dev.deferred.amqp.TopologyOf;
import dev.deferred.core.Ladder;
import dev.deferred.core.Step;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Walks the declared topology in memory, without a broker: follows the bindings, sums the TTLs, and compares with the plan. */
class TopologyWalkTest {
    private final SchedulingConfig config = config(Map.of());
    private final Ladder ladder = ChannelDefaults.ladder(config);
    private final Topology topology = topology(config);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999, 1_000, 1_001, 59_999, 1_800_000, 5_400_001, 31_622_399_999L, 31_622_400_000L})
    void aTaskWaitsInTheTiersExactlyAsLongAsPlannedAndAlwaysComesBackToTheGate(long delay) {
        long waited = 0;
        Step step = ladder.next(delay);
        while (step instanceof Step.Hop hop) {
            String exchange = attribute("outgoing." + Names.channel(hop.tier()), "exchange.name");
            Topology.Queue tier = only(queuesBoundTo(exchange, "orders.timeout"));
            waited += (Long) tier.arguments().get("x-message-ttl");
            assertThat(tier.arguments()).doesNotContainKeys("x-expires", "x-dead-letter-routing-key", "x-max-length");
            Topology.Queue next =
                    only(queuesBoundTo((String) tier.arguments().get("x-dead-letter-exchange"), "orders.timeout"));
            assertThat(next.name()).isEqualTo("deferred.due");
            step = ladder.next(delay - waited);
        }
        long held = step instanceof Step.Hold hold ? hold.millis() : 0;
        assertThat(waited + held).isEqualTo(delay);
    }

    @Test
    void everyQueueThatDeadLettersHasATargetThatAlwaysRoutes() {
        for (Topology.Queue queue : topology.queues()) {
            Object target = queue.arguments().get("x-dead-letter-exchange");
            if (target != null) {
                assertThat(queuesBoundTo((String) target, "any.key"))
                        .as(queue.name())
                        .isNotEmpty();
                assertThat(queue.arguments())
                        .as(queue.name())
                        .containsEntry("x-dead-letter-strategy", "at-least-once")
                        .containsEntry("x-overflow", "reject-publish");
            }
        }
    }

    @Test
    void whatTheGateCanNotTakeEndsInTheParkingQueue() {
        Topology.Exchange in = topology.exchanges().stream()
                .filter(exchange -> exchange.name().equals("deferred.in"))
                .findFirst()
                .orElseThrow();
        assertThat(only(queuesBoundTo((String) in.arguments().get("alternate-exchange"), "any"))
                        .name())
                .isEqualTo("deferred.parked");
    }

    @Test
    void everyQueueNamesItsTypeAndNoneDeletesItself() {
        assertThat(allButTheLog(topology)).hasSize(18 + 4).allSatisfy(queue -> assertThat(queue.arguments())
                .containsEntry("x-queue-type", "quorum")
                .doesNotContainKey("x-expires"));
    }

    @Test
    void theLogIsABoundedStreamThatIsNotBoundToTheParkingExchange() {
        for (String type : List.of("quorum", "classic")) {
            Topology any = topology(config(Map.of("deferred.queue-type", type)));
            assertThat(any.queues())
                    .filteredOn(queue -> queue.name().equals("deferred.parked.log"))
                    .singleElement()
                    .satisfies(queue -> assertThat(queue.arguments())
                            .containsEntry("x-queue-type", "stream")
                            .containsEntry("x-max-length-bytes", 67_108_864L));
            assertThat(any.bindings())
                    .filteredOn(binding -> binding.exchange().equals("deferred.parked"))
                    .containsExactly(new Topology.Binding("deferred.parked", "deferred.parked", "#"));
        }
    }

    private static List<Topology.Queue> allButTheLog(Topology topology) {
        return topology.queues().stream()
                .filter(queue -> !queue.name().equals("deferred.parked.log"))
                .toList();
    }

    @Test
    void classicQueuesAskForNothingThatOnlyQuorumQueuesKnow() {
        assertThat(allButTheLog(topology(config(Map.of("deferred.queue-type", "classic")))))
                .allSatisfy(queue -> assertThat(queue.arguments())
                        .containsEntry("x-queue-type", "classic")
                        .doesNotContainKeys("x-dead-letter-strategy", "x-overflow", "x-delivery-limit"));
    }

    @Test
    void theHandledTypesAreTheRoutingKeysOfTheNormalQueue() {
        assertThat(topology.bindings())
                .contains(new Topology.Binding("deferred.tasks", "deferred.tasks", "orders.timeout"));
        assertThat(queuesBoundTo("deferred.tasks", "another")).isEmpty();
    }

    @Test
    void aPrefixMovesEverything() {
        Topology moved = topology(config(Map.of("deferred.prefix", "shop")));
        assertThat(moved.exchanges())
                .allSatisfy(exchange -> assertThat(exchange.name()).startsWith("shop."));
        assertThat(moved.queues()).allSatisfy(queue -> assertThat(queue.name()).startsWith("shop."));
    }

    @Test
    void anAttributeOfOneChannelCanBeOverridden() {
        Map<String, String> defaults = ChannelDefaults.properties(config);
        SmallRyeConfig overridden = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(defaults, "defaults", 50))
                .withSources(new PropertiesConfigSource(
                        Map.of("mp.messaging.outgoing.delay-30m.queue.x-max-length", "1000"), "the operator's", 250))
                .build();
        assertThat(TopologyOf.channels(overridden, Set.of()).queues())
                .filteredOn(queue -> queue.name().equals("deferred.delay.30m"))
                .singleElement()
                .satisfies(queue -> assertThat(queue.arguments()).containsEntry("x-max-length", 1000L));
    }

    private List<Topology.Queue> queuesBoundTo(String exchange, String key) {
        return topology.bindings().stream()
                .filter(binding -> binding.exchange().equals(exchange))
                .filter(binding ->
                        binding.routingKey().equals("#") || binding.routingKey().equals(key))
                .map(binding -> topology.queues().stream()
                        .filter(queue -> queue.name().equals(binding.queue()))
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private String attribute(String channel, String name) {
        return ChannelDefaults.properties(config).get("mp.messaging." + channel + "." + name);
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.get(0);
    }

    private static Topology topology(SchedulingConfig config) {
        SmallRyeConfig channels = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(ChannelDefaults.properties(config), "defaults", 50))
                .build();
        return TopologyOf.channels(channels, Set.of("orders.timeout"));
    }

    private static SchedulingConfig config(Map<String, String> properties) {
        return new SmallRyeConfigBuilder()
                .withMapping(SchedulingConfig.class)
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build()
                .getConfigMapping(SchedulingConfig.class);
    }
}
