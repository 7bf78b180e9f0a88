package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.BuiltinExchangeType;
import dev.deferred.amqp.Topology.Exchange;
import dev.deferred.amqp.Topology.Queue;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.NeedsBrokerNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker user who may read and write, but declare nothing. */
@NeedsBrokerNode
class NoConfigureRightTest {
    private static final Duration HEALED = Duration.ofSeconds(20);
    private static BrokerNode node;
    private Wiring wiring;

    @BeforeAll
    static void startNode() {
        node = BrokerNode.start();
        node.ctl("add_user", "shop", "right");
        node.ctl("set_permissions", "shop", "^$", "^ours\\.", "^ours\\.");
    }

    @AfterAll
    static void closeNode() {
        node.close();
    }

    @BeforeEach
    void wire() throws Exception {
        wiring = new Wiring(node.port(), node.port(), "shop", "right");
    }

    @AfterEach
    void unwire() throws Exception {
        wiring.close();
    }

    @Test
    void aMissingExchangeIsNamedThenAMissingQueueAndBothHeal() throws Exception {
        OutgoingChannel channel = wiring.outgoing("ours.a", false);
        wiring.start();
        awaitProblemWith("exchange 'ours.a'");
        wiring.plain().exchangeDeclare("ours.a", BuiltinExchangeType.FANOUT, true);
        awaitProblemWith("queue 'ours.a'");
        declareBoundQueue("ours.a");
        await().atMost(HEALED)
                .until(() -> wiring.publishing.problem().isEmpty()
                        && wiring.consuming.problem().isEmpty());
        Wiring.send(channel, "1").get(5, TimeUnit.SECONDS);
        assertThat(wiring.depth("ours.a")).isOne();
    }

    @Test
    void anExchangeThatGoesMissingIsNamedAndUsedWhenItIsBack() throws Exception {
        wiring.plain().exchangeDeclare("ours.b", BuiltinExchangeType.FANOUT, true);
        declareBoundQueue("ours.b");
        OutgoingChannel channel = wiring.outgoing("ours.b", false);
        wiring.start();
        Wiring.send(channel, "before").get(5, TimeUnit.SECONDS);
        wiring.plain().exchangeDelete("ours.b");
        for (int i = 0; i < 5; i++) {
            assertThat(Wiring.send(channel, "during"))
                    .failsWithin(Wiring.SEND_TIMEOUT.dividedBy(3))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(PublishFailure.class)
                    .havingCause()
                    .extracting(failure -> ((PublishFailure) failure).reason())
                    .isEqualTo(PublishFailure.Reason.UNROUTABLE);
        }
        awaitProblemWith("exchange 'ours.b'");
        wiring.plain().exchangeDeclare("ours.b", BuiltinExchangeType.FANOUT, true);
        wiring.plain().queueBind("ours.b", "ours.b", "#");
        await().atMost(HEALED)
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .untilAsserted(() -> Wiring.send(channel, "after").get(5, TimeUnit.SECONDS));
    }

    @Test
    void withTheRightToDeclareMissingItIsSaidSo() {
        wiring.declarer.add(new Topology(
                List.of(new Exchange("ours.c", "fanout", Map.of(), true)),
                List.of(new Queue("ours.c", Map.of(), true)),
                List.of()));
        wiring.start();
        awaitProblemWith("deferred.declare=false");
        assertThat(wiring.publishing.problem().orElseThrow().kind()).isEqualTo(BrokerProblem.Kind.ACCESS);
    }

    private void declareBoundQueue(String name) throws Exception {
        wiring.plain().queueDeclare(name, true, false, false, Map.of("x-queue-type", "quorum"));
        wiring.plain().queueBind(name, name, "#");
    }

    private void awaitProblemWith(String text) {
        await().atMost(HEALED).untilAsserted(() -> assertThat(wiring.consuming.problem())
                .hasValueSatisfying(problem -> assertThat(problem.text()).contains(text)));
    }
}
