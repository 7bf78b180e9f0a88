package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.NeedsBrokerNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@NeedsBrokerNode
class ConnectorTest {
    private static BrokerNode node;
    private Wiring wiring;

    @BeforeAll
    static void startNode() {
        node = BrokerNode.start();
    }

    @AfterAll
    static void closeNode() throws Exception {
        node.close();
    }

    @BeforeEach
    void wire() throws Exception {
        wiring = new Wiring(node.port(), node.port());
    }

    @AfterEach
    void unwire() throws Exception {
        wiring.close();
    }

    @Test
    void aConfirmedMessageIsInTheQueue() throws Exception {
        OutgoingChannel channel = wiring.outgoing("confirmed", Map.of(), 100);
        wiring.start();
        Wiring.send(channel, "1").get(5, TimeUnit.SECONDS);
        var message = wiring.plain().basicGet("confirmed", true);
        assertThat(message.getProps().getMessageId()).isEqualTo("1");
        assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
    }

    @Test
    void aFullQueueRefusesFastAndTakesAgainWhenItHasRoom() throws Exception {
        OutgoingChannel channel =
                wiring.outgoing("full", Map.of("x-max-length", 2L, "x-overflow", "reject-publish"), 100);
        wiring.start();
        List<PublishFailure.Reason> reasons = new ArrayList<>();
        // a quorum queue learns of its length a little late, so it may take a few more than its limit
        for (int i = 0; i < 20; i++) {
            reason(Wiring.send(channel, "full-" + i)).ifPresent(reasons::add);
        }
        assertThat(reasons).isNotEmpty().containsOnly(PublishFailure.Reason.REFUSED);
        wiring.plain().queuePurge("full");
        await().atMost(Duration.ofSeconds(5))
                .until(() -> reason(Wiring.send(channel, "again")).isEmpty());
        assertThat(channel.inFlight()).isZero();
    }

    @Test
    void aMessageWithoutARouteFailsAndTheMissingBindingComesBack() throws Exception {
        OutgoingChannel channel = wiring.outgoing("unbound", Map.of(), 100);
        wiring.start();
        Wiring.send(channel, "before").get(5, TimeUnit.SECONDS);
        wiring.plain().queueUnbind("unbound", "unbound", "#");
        assertThat(reason(Wiring.send(channel, "lost"))).contains(PublishFailure.Reason.UNROUTABLE);
        await().atMost(Duration.ofSeconds(5))
                .until(() -> reason(Wiring.send(channel, "after")).isEmpty());
    }

    @Test
    void aDeletedQueueComesBack() throws Exception {
        OutgoingChannel channel = wiring.outgoing("deleted", Map.of(), 100);
        wiring.start();
        Wiring.send(channel, "before").get(5, TimeUnit.SECONDS);
        wiring.plain().queueDelete("deleted");
        await().atMost(Duration.ofSeconds(5))
                .until(() -> reason(Wiring.send(channel, "after")).isEmpty());
    }

    @Test
    void aMissingExchangeDoesNotHurtOtherMessages() throws Exception {
        OutgoingChannel channel = wiring.outgoing("sound", Map.of(), 1_000);
        wiring.start();
        Wiring.send(channel, "first").get(5, TimeUnit.SECONDS);
        CompletableFuture<Void> toNowhere = Wiring.send(
                channel,
                "no-such-exchange",
                "key",
                new AMQP.BasicProperties.Builder().messageId("nowhere").build());
        List<CompletableFuture<Void>> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(Wiring.send(channel, "sound-" + i));
        }
        assertThat(reason(toNowhere)).isPresent();
        for (CompletableFuture<Void> other : others) {
            assertThat(reason(other)).isEmpty();
        }
    }

    @Test
    void whatAmqpCanNotCarryFailsAtOnceAndTheNextMessageIsSent() throws Exception {
        OutgoingChannel channel = wiring.outgoing("limits", Map.of(), 100);
        wiring.start();
        Wiring.send(channel, "before").get(5, TimeUnit.SECONDS);
        for (AMQP.BasicProperties bad : List.of(
                properties().headers(Map.of("when", Instant.EPOCH)).build(),
                properties().headers(Map.of("big", "x".repeat(200_000))).build(),
                properties().expiration("-1").build(),
                properties().type("t".repeat(256)).build())) {
            assertThat(reason(Wiring.send(channel, "", "key", bad))).contains(PublishFailure.Reason.INVALID);
        }
        assertThat(reason(Wiring.send(channel, "", "é".repeat(200), properties().build())))
                .contains(PublishFailure.Reason.INVALID);
        Wiring.send(channel, "after").get(1, TimeUnit.SECONDS);
    }

    @Test
    void moreThanTheLimitInFlightIsRefusedAndCapacityReturns() throws Exception {
        OutgoingChannel channel = wiring.outgoing("bounded", Map.of(), 10);
        List<CompletableFuture<Void>> sends = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            sends.add(Wiring.send(channel, "bounded-" + i)); // not started yet: nothing is confirmed
        }
        assertThat(sends.subList(10, 15))
                .allSatisfy(send -> assertThat(reason(send)).contains(PublishFailure.Reason.OVERLOADED));
        wiring.start();
        for (CompletableFuture<Void> send : sends.subList(0, 10)) {
            send.get(5, TimeUnit.SECONDS);
        }
        Wiring.send(channel, "room").get(5, TimeUnit.SECONDS);
        assertThat(channel.inFlight()).isZero();
    }

    @Test
    void withoutABrokerASendFailsInTimeAndSaysThatItWasNotSent() {
        OutgoingChannel channel = wiring.outgoing("never", Map.of(), 100);
        assertThat(reason(Wiring.send(channel, "never"))).contains(PublishFailure.Reason.BROKER_AWAY);
    }

    @Test
    void cutConnectionsComeBackWithEveryConfirmAtItsOwnMessage() throws Exception {
        OutgoingChannel channel = wiring.outgoing("closed", Map.of(), 5_000);
        wiring.start();
        Wiring.send(channel, "warm").get(5, TimeUnit.SECONDS);
        List<String> confirmed = Collections.synchronizedList(new ArrayList<>());
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<Void>> sends = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                String id = round + "-" + i;
                sends.add(Wiring.send(channel, id).thenRun(() -> confirmed.add(id)));
                if (i == 100) {
                    wiring.publishing.drop("the test cuts it");
                }
            }
            for (CompletableFuture<Void> send : sends) {
                assertThat(reason(send)).isEmpty();
            }
        }
        List<String> found = new ArrayList<>();
        for (var message = wiring.plain().basicGet("closed", true);
                message != null;
                message = wiring.plain().basicGet("closed", true)) {
            found.add(message.getProps().getMessageId());
        }
        assertThat(confirmed).hasSize(5 * 400);
        assertThat(found).containsAll(confirmed);
    }

    @Test
    void aLateAcknowledgementAfterAReconnectDoesNothing() throws Exception {
        OutgoingChannel channel = wiring.outgoing("late", Map.of(), 100);
        IncomingChannel consumer = wiring.incoming("late", 10);
        ConcurrentLinkedQueue<Message<byte[]>> got = new ConcurrentLinkedQueue<>();
        consumer.messages().subscribe().with(got::add);
        wiring.start();
        Wiring.send(channel, "one").get(5, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1);
        Message<byte[]> stale = got.poll();
        wiring.consuming.drop("the test says so");
        await().atMost(Duration.ofSeconds(10)).until(() -> got.size() == 1);
        Message<byte[]> again = got.poll();
        assertThat(Incoming.of(again).redelivered()).isTrue();
        stale.ack().toCompletableFuture().get(5, TimeUnit.SECONDS);
        wiring.consuming.drop("once more: the message must not have been acknowledged by the stale one");
        await().atMost(Duration.ofSeconds(10)).until(() -> got.size() == 1);
        got.poll().ack().toCompletableFuture().get(5, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(5)).until(() -> consumer.inHand() == 0 && wiring.depth("late") == 0);
    }

    @Test
    void aDeletedQueueIsConsumedAgainAndThePrefetchHolds() throws Exception {
        OutgoingChannel channel = wiring.outgoing("consumed", Map.of(), 100);
        IncomingChannel consumer = wiring.incoming("consumed", 3);
        ConcurrentLinkedQueue<Message<byte[]>> got = new ConcurrentLinkedQueue<>();
        consumer.messages().subscribe().with(got::add);
        wiring.start();
        Wiring.send(channel, "warm").get(5, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1);
        wiring.freshPlain().queueDelete("consumed");
        await().atMost(Duration.ofSeconds(10)).until(() -> wiring.freshPlain().isOpen() && consumes("consumed"));
        for (int i = 0; i < 10; i++) {
            Wiring.send(channel, "consumed-" + i).get(5, TimeUnit.SECONDS);
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1 + 3);
        assertThat(node.ctl("list_consumers", "queue_name", "prefetch_count")).contains("consumed\t3");
        List<Message<byte[]>> seen = new ArrayList<>();
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            for (Message<byte[]> message = got.poll(); message != null; message = got.poll()) {
                seen.add(message);
                message.ack();
            }
            return seen.size() == 1 + 10;
        });
    }

    @Test
    void whatIsInHandWhenItsQueueIsDeletedStaysOursForNobodyElseHasIt() throws Exception {
        OutgoingChannel channel = wiring.outgoing("orphaned", Map.of(), 100);
        IncomingChannel consumer = wiring.incoming("orphaned", 10);
        ConcurrentLinkedQueue<Message<byte[]>> got = new ConcurrentLinkedQueue<>();
        consumer.messages().subscribe().with(got::add);
        wiring.start();
        Wiring.send(channel, "only").get(5, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1);
        wiring.freshPlain().queueDelete("orphaned");
        await().atMost(Duration.ofSeconds(10)).until(() -> consumes("orphaned"));
        wiring.consuming.drop("the test says so");
        await().atMost(Duration.ofSeconds(10)).until(() -> consumes("orphaned"));
        assertThat(isOurs(got.peek())).isTrue();
    }

    @Test
    void aStopWaitsForWhatIsInHandAlthoughItsQueueIsDeleted() throws Exception {
        OutgoingChannel channel = wiring.outgoing("stopped", Map.of(), 100);
        IncomingChannel consumer = wiring.incoming("stopped", 10);
        ConcurrentLinkedQueue<Message<byte[]>> got = new ConcurrentLinkedQueue<>();
        consumer.messages().subscribe().with(got::add);
        wiring.start();
        Wiring.send(channel, "only").get(5, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1);
        wiring.freshPlain().queueDelete("stopped");
        await().atMost(Duration.ofSeconds(10)).until(() -> consumes("stopped"));
        GracefulStop stop = new GracefulStop(Duration.ofSeconds(20));
        CompletableFuture<Void> stopped =
                CompletableFuture.runAsync(() -> stop.stop(List.of(consumer), List.of(channel), List.of()));
        await().during(Duration.ofMillis(500)).atMost(Duration.ofSeconds(5)).until(() -> !stopped.isDone());
        got.poll().ack();
        assertThat(stopped).succeedsWithin(Duration.ofSeconds(5));
        assertThat(consumer.inHand()).isZero();
    }

    @Test
    void whatIsInHandIsOursWhenALookAtTheQueueFindsItDeletedBeforeTheBrokerSaysSo() throws Exception {
        OutgoingChannel channel = wiring.outgoing("looked-at", Map.of(), 100);
        wiring.start();
        Wiring.send(channel, "only").get(5, TimeUnit.SECONDS);
        ConcurrentLinkedQueue<Message<byte[]>> got = new ConcurrentLinkedQueue<>();
        try (Connection connection = neverToldOfCancels()) {
            Subscription subscription =
                    new Subscription(connection.createChannel(), wiring.consuming, got::add, (which, why) -> {});
            subscription.begin("looked-at", 10, Map.of());
            await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1);
            wiring.freshPlain().queueDelete("looked-at");
            assertThatThrownBy(() -> subscription.isStalled("looked-at")).isInstanceOf(IOException.class);
            subscription.end();
            assertThat(isOurs(got.element())).isTrue();
            assertThat(subscription.inHand()).isOne();
        }
    }

    /** A client that does not announce that it understands a consumer's cancellation, so the broker keeps it to itself. */
    private static Connection neverToldOfCancels() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(node.host());
        factory.setPort(node.port());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setClientProperties(Map.of("capabilities", Map.of("publisher_confirms", true)));
        return factory.newConnection();
    }

    @Test
    void whatIsInHandWhenTheConnectionBreaksIsNoLongerOursForItComesAgain() throws Exception {
        OutgoingChannel channel = wiring.outgoing("again", Map.of(), 100);
        IncomingChannel consumer = wiring.incoming("again", 10);
        ConcurrentLinkedQueue<Message<byte[]>> got = new ConcurrentLinkedQueue<>();
        consumer.messages().subscribe().with(got::add);
        wiring.start();
        Wiring.send(channel, "only").get(5, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1);
        wiring.consuming.drop("the test says so");
        await().atMost(Duration.ofSeconds(10)).until(() -> got.size() == 2);
        assertThat(isOurs(got.poll())).isFalse();
        assertThat(isOurs(got.poll())).isTrue();
    }

    private static boolean isOurs(Message<byte[]> message) {
        return Incoming.of(message).isOurs().getAsBoolean();
    }

    private boolean consumes(String queue) throws Exception {
        try {
            return wiring.freshPlain().consumerCount(queue) == 1;
        } catch (IOException missing) {
            return false;
        }
    }

    private static AMQP.BasicProperties.Builder properties() {
        return new AMQP.BasicProperties.Builder().messageId("id");
    }

    /** Waits for the end of a send: empty when it was confirmed, else why not. A send that does not end fails the test. */
    private static java.util.Optional<PublishFailure.Reason> reason(CompletableFuture<Void> send) {
        try {
            send.get(Wiring.SEND_TIMEOUT.toMillis() + 1_000, TimeUnit.MILLISECONDS);
            return java.util.Optional.empty();
        } catch (ExecutionException e) {
            return java.util.Optional.of(((PublishFailure) e.getCause()).reason());
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError("the send did not end within its timeout", e);
        }
    }
}
