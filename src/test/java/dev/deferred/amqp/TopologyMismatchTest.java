package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Address;
import dev.deferred.amqp.Topology.Queue;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.NeedsBrokerNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NeedsBrokerNode
class TopologyMismatchTest {
    private static BrokerNode node;

    @BeforeAll
    static void startNode() {
        node = BrokerNode.start();
    }

    @AfterAll
    static void closeNode() throws Exception {
        node.close();
    }

    @ParameterizedTest
    @CsvSource({"other-ttl, 1000, 2000", "no-ttl, , 2000"})
    void anObjectWithOtherArgumentsIsNamedWithBothValuesAndItsRemovalHeals(String name, Long existing, Long wanted)
            throws Exception {
        Wiring wiring = new Wiring(node.port(), node.port());
        Map<String, Object> before = existing == null
                ? Map.of("x-queue-type", "quorum")
                : Map.of("x-queue-type", "quorum", "x-message-ttl", existing);
        wiring.plain().queueDeclare(name, true, false, false, before);
        OutgoingChannel channel = wiring.outgoing(name, Map.of("x-message-ttl", wanted), 10);
        wiring.start();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(wiring.publishing.problem()).hasValueSatisfying(problem -> {
                    assertThat(problem.kind()).isEqualTo(BrokerProblem.Kind.TOPOLOGY);
                    assertThat(problem.text())
                            .contains(
                                    "queue \"" + name + "\"",
                                    "x-message-ttl",
                                    "expected",
                                    wanted.toString(),
                                    "found",
                                    "delete it");
                }));
        wiring.plain().queueDelete(name);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> wiring.publishing.problem().isEmpty());
        Wiring.send(channel, "after").get(5, TimeUnit.SECONDS);
        wiring.close();
    }

    @Test
    void aQueueThatMayNotBeDeclaredIsReportedWhileItIsMissing() throws Exception {
        Wiring wiring = new Wiring(node.port(), node.port());
        wiring.declarer.add(new Topology(List.of(), List.of(new Queue("theirs", Map.of(), false)), List.of()));
        wiring.start();
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(wiring.consuming.problem())
                .hasValueSatisfying(problem -> assertThat(problem.text()).contains("theirs")));
        wiring.plain().queueDeclare("theirs", true, false, false, Map.of("x-queue-type", "quorum"));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> wiring.consuming.problem().isEmpty());
        wiring.close();
    }

    @Test
    void aWrongPasswordIsToldApartFromANetworkFault() throws Exception {
        node.ctl("add_user", "shop", "right");
        node.ctl("set_permissions", "shop", ".*", ".*", ".*");
        BrokerSettings wrong = as("shop", "S3cr3t/@:%", "/");
        BrokerThreads threads = new BrokerThreads();
        BrokerConnection connection = new BrokerConnection("publish", wrong, new TopologyDeclarer(), threads);
        connection.start();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(connection.problem()).hasValueSatisfying(problem -> {
                    assertThat(problem.kind()).isEqualTo(BrokerProblem.Kind.ACCESS);
                    assertThat(problem.text())
                            .startsWith("authentication")
                            .contains("shop")
                            .doesNotContain("S3cr3t");
                }));
        node.ctl("change_password", "shop", "S3cr3t/@:%");
        await().atMost(Duration.ofSeconds(20)).until(() -> connection.problem().isEmpty());
        connection.stop(2_000);
        threads.close();
    }

    @Test
    void aWrongVirtualHostIsNamed() throws Exception {
        BrokerSettings wrong = as("guest", "guest", "prod/ü");
        BrokerThreads threads = new BrokerThreads();
        BrokerConnection connection = new BrokerConnection("publish", wrong, new TopologyDeclarer(), threads);
        connection.start();
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(connection.problem())
                .hasValueSatisfying(problem -> assertThat(problem.text()).contains("\"prod/ü\"")));
        node.ctl("add_vhost", "prod/ü");
        node.ctl("set_permissions", "-p", "prod/ü", "guest", ".*", ".*", ".*");
        await().atMost(Duration.ofSeconds(20)).until(() -> connection.problem().isEmpty());
        connection.stop(2_000);
        threads.close();
    }

    private static BrokerSettings as(String username, String password, String virtualHost) {
        return new BrokerSettings(
                List.of(new Address("127.0.0.1", node.port())),
                username,
                password,
                virtualHost,
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }
}
