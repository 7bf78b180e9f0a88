package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.NeedsBrokerNode;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A channel that is given messages for exchanges to which this user can't publish. */
@NeedsBrokerNode
class NoWriteRightTest {
    private static final List<String> UNUSABLE = List.of("ours.missing", "ours.internal", "theirs");
    private static BrokerNode node;
    private Wiring wiring;

    @BeforeAll
    static void startNode() {
        node = BrokerNode.start();
        node.ctl("add_user", "shop", "right");
        // without any right, RabbitMQ 4.3 does not even say whether it exists
        node.ctl("set_permissions", "shop", "^ours\\.", "^ours\\.", "^(ours\\.|theirs$)");
    }

    @AfterAll
    static void closeNode() {
        node.close();
    }

    @BeforeEach
    void wire() throws Exception {
        wiring = new Wiring(node.port(), node.port(), "shop", "right");
        wiring.plain().exchangeDeclare("ours.internal", BuiltinExchangeType.FANOUT, true, false, true, Map.of());
        wiring.plain().exchangeDeclare("theirs", BuiltinExchangeType.FANOUT, true);
    }

    @AfterEach
    void unwire() throws Exception {
        wiring.close();
    }

    /** Each message that closes the channel costs 200 ms or more until the next one opens: 120 of them would take 24 s. */
    @Test
    void unusableExchangesFailTheirMessagesAtOnceAndNoOthers() throws Exception {
        OutgoingChannel channel = wiring.outgoing("ours.flow", Map.of(), 100);
        wiring.start();
        Wiring.send(channel, "first").get(5, TimeUnit.SECONDS);
        long began = System.nanoTime();
        for (int round = 0; round < 40; round++) {
            for (String exchange : UNUSABLE) {
                CompletableFuture<Void> bad = Wiring.send(channel, exchange, "key", id(round + exchange));
                CompletableFuture<Void> good = Wiring.send(channel, round + " beside " + exchange);
                assertThat(failure(bad).reason()).isEqualTo(PublishFailure.Reason.UNROUTABLE);
                assertThat(failure(bad)).hasMessageContaining("'" + exchange + "'");
                good.get(3, TimeUnit.SECONDS);
            }
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
        assertThat(channel.inFlight()).isZero();
        assertThat(channel.fault()).isEmpty();
        await().atMost(Duration.ofSeconds(5)).until(() -> wiring.depth("ours.flow") == 1 + 40 * UNUSABLE.size());
    }

    @Test
    void anExchangeThatIsMadeLaterIsUsedWithinSeconds() throws Exception {
        OutgoingChannel channel = wiring.outgoing("ours.late", Map.of(), 100);
        wiring.start();
        assertThat(failure(Wiring.send(channel, "ours.new", "key", id("early"))).reason())
                .isEqualTo(PublishFailure.Reason.UNROUTABLE);
        wiring.plain().exchangeDeclare("ours.new", BuiltinExchangeType.FANOUT, true);
        wiring.plain().queueDeclare("ours.new", true, false, false, Map.of("x-queue-type", "quorum"));
        wiring.plain().queueBind("ours.new", "ours.new", "");
        await().atMost(BarredExchanges.REMEMBERED.plusSeconds(5))
                .until(() -> !Wiring.send(channel, "ours.new", "key", id("later"))
                        .handle((confirmed, failure) -> failure)
                        .thenApply(failure -> failure != null)
                        .get(5, TimeUnit.SECONDS));
    }

    /** Of what is on the way when an exchange goes, the broker holds some: that must not be called unroutable. */
    @Test
    void whatMayHaveBeenTakenBeforeItsExchangeWentIsNotCalledUnroutable() throws Exception {
        OutgoingChannel channel = wiring.outgoing("ours.goes", Map.of(), 10_000);
        wiring.start();
        wiring.plain().queueDeclare("ours.taken", true, false, false, Map.of("x-queue-type", "quorum"));
        Map<PublishFailure.Reason, Integer> count = new EnumMap<>(PublishFailure.Reason.class);
        for (int round = 0; round < 5; round++) {
            String exchange = "ours.goes-" + round;
            wiring.plain().exchangeDeclare(exchange, BuiltinExchangeType.FANOUT, true);
            wiring.plain().queueBind("ours.taken", exchange, "");
            Map<String, CompletableFuture<Void>> sends = new LinkedHashMap<>();
            for (int i = 0; i < 3_000; i++) {
                String id = round + "-" + i;
                sends.put(id, Wiring.send(channel, exchange, "key", id(id)));
                if (i == 1_500) {
                    sends.get(round + "-0").get(5, TimeUnit.SECONDS);
                    wiring.plain().exchangeDelete(exchange);
                }
            }
            Set<String> unroutable = new HashSet<>();
            Set<String> confirmed = new HashSet<>();
            for (Map.Entry<String, CompletableFuture<Void>> send : sends.entrySet()) {
                Optional<PublishFailure> failure = outcome(send.getValue());
                failure.ifPresentOrElse(
                        why -> {
                            count.merge(why.reason(), 1, Integer::sum);
                            if (!why.reason().mayBeHeld()) {
                                unroutable.add(send.getKey());
                            }
                        },
                        () -> confirmed.add(send.getKey()));
            }
            Set<String> taken = taken("ours.taken");
            assertThat(taken).containsAll(confirmed).doesNotContainAnyElementsOf(unroutable);
        }
        assertThat(count).containsKey(PublishFailure.Reason.UNROUTABLE);
        assertThat(channel.inFlight()).isZero();
    }

    private Set<String> taken(String queue) throws IOException {
        Set<String> ids = new HashSet<>();
        for (GetResponse next; (next = wiring.plain().basicGet(queue, true)) != null; ) {
            ids.add(next.getProps().getMessageId());
        }
        return ids;
    }

    @Test
    void anOwnExchangeThatIsForbiddenFailsItsMessagesAtOnceAndIsNamedInReadiness() throws Exception {
        wiring.plain().queueDeclare("theirs", true, false, false, Map.of("x-queue-type", "quorum"));
        OutgoingChannel channel = wiring.outgoing("theirs", false);
        wiring.start();
        await().atMost(Duration.ofSeconds(5)).until(wiring.publishing::isUp);
        for (int i = 0; i < 5; i++) {
            assertThat(failure(Wiring.send(channel, "own-" + i)).reason()).isEqualTo(PublishFailure.Reason.UNROUTABLE);
        }
        assertThat(channel.fault())
                .hasValueSatisfying(text -> assertThat(text).contains("exchange 'theirs'", "refused"));
    }

    private static AMQP.BasicProperties id(String id) {
        return new AMQP.BasicProperties.Builder().messageId(id).build();
    }

    private static PublishFailure failure(CompletableFuture<Void> send) throws Exception {
        return outcome(send).orElseThrow(() -> new AssertionError("confirmed, though there is nowhere to go"));
    }

    /** Empty when it was confirmed. */
    private static Optional<PublishFailure> outcome(CompletableFuture<Void> send) throws Exception {
        try {
            send.get(Wiring.SEND_TIMEOUT.toMillis() + 1_000, TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of((PublishFailure) e.getCause());
        }
    }
}
