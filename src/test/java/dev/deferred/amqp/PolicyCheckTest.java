package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.deferred.amqp.Topology.Queue;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.BrokerOptions;
import dev.deferred.testing.NeedsBrokerNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@NeedsBrokerNode
class PolicyCheckTest {
    private static final String VIRTUAL_HOST = "shop a/ü";
    private static final Map<String, Object> DUE = Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish");

    /** The management API shows policies with its statistics, every five seconds. */
    private static final Duration SHOWN = Duration.ofSeconds(30);

    private static BrokerNode node;

    private final BrokerThreads threads = new BrokerThreads();

    @BeforeAll
    static void startNodeWithQueues() throws Exception {
        node = BrokerNode.start(BrokerOptions.defaults().withPlugins("rabbitmq_management"));
        node.ctl("add_vhost", VIRTUAL_HOST);
        node.ctl("set_permissions", "-p", VIRTUAL_HOST, "guest", ".*", ".*", ".*");
        BrokerSettings settings = settings("guest");
        try (Connection connection = settings.factory().newConnection(settings.addresses());
                Channel channel = connection.createChannel()) {
            for (String name : List.of("ours.due", "ours.parked", "theirs")) {
                channel.queueDeclare(name, true, false, false, DUE);
            }
        }
    }

    @AfterAll
    static void closeNode() {
        node.close();
    }

    @AfterEach
    void end() {
        threads.close();
    }

    @Test
    void policiesThatLoseTasksAreFoundOnOurQueuesAloneAndForgottenWhenTheyAreGone() {
        PolicyCheck check = check("guest", node.managementPort().orElseThrow());
        check.look();
        assertThat(check.findings()).isEmpty();
        node.ctl("set_policy", "-p", VIRTUAL_HOST, "short", ".*", "{\"max-length\":5,\"overflow\":\"drop-head\"}");
        node.ctl("set_operator_policy", "-p", VIRTUAL_HOST, "tidy", "parked", "{\"expires\":600000}");
        await().atMost(SHOWN).untilAsserted(() -> {
            check.look();
            assertThat(check.findings())
                    .hasSize(3)
                    .anySatisfy(found -> assertThat(found)
                            .startsWith("policy \"short\": max-length=5")
                            .endsWith(" on ours.due"))
                    .anySatisfy(found -> assertThat(found)
                            .startsWith("policy \"short\" and operator policy \"tidy\": expires=600000")
                            .endsWith(" on ours.parked"));
        });
        node.ctl("clear_policy", "-p", VIRTUAL_HOST, "short");
        node.ctl("clear_operator_policy", "-p", VIRTUAL_HOST, "tidy");
        await().atMost(SHOWN).untilAsserted(() -> {
            check.look();
            assertThat(check.findings()).isEmpty();
        });
    }

    @Test
    void anApiThatRefusesOrIsAwayIsNoFault() {
        PolicyCheck refused = check("stranger", node.managementPort().orElseThrow());
        refused.look();
        assertThat(refused.findings()).isEmpty();
        PolicyCheck away = check("guest", node.port());
        away.look();
        assertThat(away.findings()).isEmpty();
    }

    private PolicyCheck check(String username, int port) {
        Topology ours = new Topology(
                List.of(), List.of(new Queue("ours.due", DUE, true), new Queue("ours.parked", DUE, true)), List.of());
        return new PolicyCheck(new ManagementApi(settings(username), port), () -> ours, threads);
    }

    private static BrokerSettings settings(String username) {
        return new BrokerSettings(
                List.of(new Address("127.0.0.1", node.port())),
                username,
                "guest",
                VIRTUAL_HOST,
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }
}
