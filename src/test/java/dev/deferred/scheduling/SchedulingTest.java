package dev.deferred.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.Topology;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.testing.BareTier;
import dev.deferred.testing.Broker;
import dev.deferred.testing.PlainClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Multi;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks from the scheduler through tiers and gate to a queue of another service, on a real broker. */
@QuarkusTest
@WithTestResource(Broker.class)
class SchedulingTest {
    private static final Logger LOG = Logger.getLogger(SchedulingTest.class);
    private static final Duration AT_MOST = Duration.ofSeconds(20);

    @Inject
    NewTasks newTasks;

    @Inject
    Scheduler scheduler;

    @Inject
    SchedulingConfig config;

    @Inject
    @org.eclipse.microprofile.reactive.messaging.spi.Connector(dev.deferred.amqp.DeferredConnector.NAME)
    dev.deferred.amqp.DeferredConnector connector;

    @Inject
    Config mpConfig;

    private record Got(Delivery delivery, long atMillis) {
        String id() {
            return properties().getMessageId();
        }

        String key() {
            return delivery.getEnvelope().getRoutingKey();
        }

        AMQP.BasicProperties properties() {
            return delivery.getProperties();
        }

        byte[] body() {
            return delivery.getBody();
        }

        String text() {
            return new String(body(), StandardCharsets.UTF_8);
        }

        long lateMillis() {
            return atMillis - (Long) properties().getHeaders().get(Wire.DUE_AT);
        }
    }

    private static final AtomicInteger TESTS = new AtomicInteger();

    private Names names;
    private String mine;
    private PlainClient client;
    private Channel channel;
    private final ConcurrentLinkedQueue<Got> got = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void listenAsAnotherService() throws Exception {
        names = new Names(config.prefix());
        client = new PlainClient(mpConfig);
        channel = client.channel();
        await().atMost(AT_MOST).until(() -> connector.getReadiness().isOk());
        mine = "other" + TESTS.incrementAndGet();
        consume(mine + ".service", mine + ".#");
    }

    @AfterEach
    void leave() throws IOException {
        client.close();
    }

    private void consume(String queue, String key) throws IOException {
        String name = names.prefix() + "." + queue;
        channel.queueDeclare(name, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueBind(name, names.tasks(), key);
        DeliverCallback take = (tag, delivery) -> got.add(new Got(delivery, System.currentTimeMillis()));
        channel.basicConsume(name, true, take, tag -> {});
    }

    private Task schedule(String type, Duration delay, String payload) {
        Task task = newTasks.after(newTasks.newId(), type, delay, Payload.json(payload));
        scheduler.schedule(task).await().atMost(AT_MOST);
        return task;
    }

    @Test
    void longerDelaysScheduledFirstComeOutLast() {
        List.of(3_000, 2_000, 1_000, 0, 500, 1_500)
                .forEach(millis -> schedule(mine + ".order", Duration.ofMillis(millis), millis.toString()));
        await().atMost(AT_MOST).until(() -> got.size() == 6);
        assertThat(got).extracting(Got::text).containsExactly("0", "500", "1000", "1500", "2000", "3000");
        assertThat(got).allSatisfy(it -> assertThat(it.lateMillis()).isNotNegative());
    }

    @Test
    void aShortDelayBehindALongOneIsNotHeldUp() {
        schedule(mine + ".behind", Duration.ofSeconds(60), "long");
        schedule(mine + ".behind", Duration.ofMillis(1_500), "short");
        await().atMost(Duration.ofSeconds(10)).until(() -> got.size() == 1);
        assertThat(got.peek().text()).isEqualTo("short");
    }

    /**
     * A task of this test takes up to two tiers, and then the gate releases it by one more publish and delivery. The lateness of
     * all tiers but the last is made up for, so what counts is one dead-lettering, one confirmed publish and two deliveries: no
     * more than three times what the bare tier needs for a dead-lettering and a delivery. Both are measured at the same time on
     * the same broker and in the same JVM, so a machine that is busy with other things makes both late.
     */
    @Test
    void fiveHundredRandomDelaysAreNeverEarlyNorLostNorLateAndMakeNoQueues() throws Exception {
        Set<Topology.Queue> queuesBefore = Set.copyOf(connector.topology().queues());
        Random random = new Random(7);
        List<Task> tasks = new ArrayList<>();
        try (BareTier bare = BareTier.start(
                channel.getConnection().createChannel(), names.prefix() + "." + mine, Duration.ofMillis(16))) {
            // the connection of both has opened its channels, and the classes are loaded
            await().atMost(AT_MOST).until(() -> bare.arrived() > 10);
            for (int i = 0; i < 500; i++) {
                tasks.add(newTasks.after(
                        newTasks.newId(),
                        mine + ".random",
                        Duration.ofMillis(random.nextInt(8_000)),
                        Payload.json("{}")));
            }
            List<Scheduled> scheduled = Multi.createFrom()
                    .iterable(tasks)
                    .onItem()
                    .transformToUniAndMerge(scheduler::schedule)
                    .collect()
                    .asList()
                    .await()
                    .atMost(AT_MOST);
            assertThat(scheduled).hasSize(500);
            await().atMost(AT_MOST).until(() -> got.size() >= 500);
            assertThat(got)
                    .extracting(Got::id)
                    .containsExactlyInAnyOrderElementsOf(
                            tasks.stream().map(task -> task.id().value()).toList());
            assertThat(got).allSatisfy(it -> assertThat(it.lateMillis()).isNotNegative());
            Percentiles ours = Percentiles.of(got.stream().mapToLong(Got::lateMillis));
            Percentiles beside = Percentiles.of(bare.lateMillis());
            LOG.infof("500 random delays: %s late; a bare tier at the same time: %s", ours, beside);
            assertThat(ours.p99())
                    .as("late: %s, a bare tier: %s", ours, beside)
                    .isLessThanOrEqualTo(Math.max(100, 3 * beside.p99()));
        }
        assertThat(connector.topology().queues()).containsExactlyInAnyOrderElementsOf(queuesBefore);
    }

    private record Percentiles(long p50, long p90, long p99, long max) {
        static Percentiles of(LongStream millis) {
            long[] sorted = millis.sorted().toArray();
            return new Percentiles(at(sorted, 0.5), at(sorted, 0.9), at(sorted, 0.99), sorted[sorted.length - 1]);
        }

        private static long at(long[] sorted, double share) {
            return sorted[(int) Math.ceil(share * sorted.length) - 1];
        }

        @Override
        public String toString() {
            return "p50 %d ms, p90 %d ms, p99 %d ms, max %d ms".formatted(p50, p90, p99, max);
        }
    }

    @Test
    void theTaskArrivesWithItsKeyItsPropertiesAndItsBytes() {
        byte[] bytes = {0, (byte) 0xff, 10, 13, '{', (byte) 0xc3, (byte) 0xa9};
        Task task = newTasks.after(
                newTasks.newId(), mine + ".bytes", Duration.ofMillis(1_200), Payload.of(bytes, "application/x-odd"));
        scheduler.schedule(task).await().atMost(AT_MOST);
        await().atMost(AT_MOST).until(() -> got.size() == 1);
        Got it = got.peek();
        assertThat(it.id()).isEqualTo(task.id().value());
        assertThat(it.key()).isEqualTo(mine + ".bytes");
        assertThat(it.body()).isEqualTo(bytes);
        assertThat(it.properties().getType()).isEqualTo(mine + ".bytes");
        assertThat(it.properties().getContentType()).isEqualTo("application/x-odd");
        assertThat(it.properties().getDeliveryMode()).isEqualTo(2);
        assertThat(it.properties().getExpiration()).isNull();
        assertThat(it.properties().getHeaders()).containsOnlyKeys(Wire.DUE_AT, Wire.SCHEDULED_AT, Wire.ATTEMPT);
        assertThat(it.properties().getHeaders())
                .containsEntry(Wire.DUE_AT, task.dueAtMillis())
                .containsEntry(Wire.ATTEMPT, 1L);
    }

    @Test
    void whatIsPastRunsNowAndIsMarkedLate() {
        Task task =
                newTasks.at(newTasks.newId(), mine + ".past", Instant.now().minusSeconds(86_400), Payload.json("1"));
        assertThat(scheduler.schedule(task).await().atMost(AT_MOST).via()).isEqualTo("gate");
        await().atMost(Duration.ofSeconds(5)).until(() -> got.size() == 1);
        assertThat(task.late()).isTrue();
        assertThat(got.peek().lateMillis()).isGreaterThanOrEqualTo(86_400_000);
    }

    @Test
    void aDelayEqualToATierGoesThroughThatTier() {
        for (String delay : List.of("1s", "2s", "5s", "30m", "7d")) {
            Task task = newTasks.after(
                    newTasks.newId(), mine + ".tier", dev.deferred.core.Delays.parse(delay), Payload.json("1"));
            assertThat(scheduler.schedule(task).await().atMost(AT_MOST).via()).isEqualTo(delay);
        }
    }

    @Test
    void aTaskThatNobodyTakesIsParkedAndOthersGoOn() throws Exception {
        Task lost = schedule("nobody.takes-it", Duration.ZERO, "{\"a\":1}");
        schedule(mine + ".goes-on", Duration.ofMillis(100), "2");
        await().atMost(AT_MOST).until(() -> got.size() == 1);
        var parked = parked(lost.id().value());
        assertThat(parked.getProps().getHeaders().get(ParkedMessage.REASON)).hasToString("unroutable");
        assertThat(parked.getProps().getHeaders().get(ParkedMessage.DETAIL).toString())
                .contains("nobody.takes-it");
        assertThat(parked.getBody()).isEqualTo("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void oddMessagesAtTheGateAreParkedWithTheReasonAndTheBodyUntouched() throws Exception {
        int n = 0;
        for (Object odd : List.of("soon", "1.5", "", "-1", -5L, List.of("x"), Map.of("a", 1), "9".repeat(400))) {
            String id = "odd-" + n++;
            AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                    .messageId(id)
                    .headers(Map.of(Wire.DUE_AT, odd))
                    .build();
            channel.basicPublish(names.in(), mine + ".odd", properties, new byte[] {1, 2, 3});
            var parked = parked(id);
            assertThat(parked.getProps().getHeaders().get(ParkedMessage.REASON)).hasToString("refused");
            assertThat(parked.getProps().getHeaders().get(ParkedMessage.DETAIL).toString())
                    .contains(Wire.DUE_AT)
                    .hasSizeLessThan(2_100);
            assertThat(parked.getBody()).containsExactly(1, 2, 3);
        }
        schedule(mine + ".after", Duration.ZERO, "1");
        await().atMost(AT_MOST).until(() -> got.size() == 1);
    }

    @Test
    void aMessageWithoutAnyPropertiesAtTheGateIsReleasedAtOnceUnderANewId() throws Exception {
        channel.basicPublish(names.in(), mine + ".bare", null, new byte[0]);
        await().atMost(AT_MOST).until(() -> got.size() == 1);
        assertThat(got.peek().id()).hasSize(36);
        assertThat(got.peek().key()).isEqualTo(mine + ".bare");
        assertThat(got.peek().body()).isEmpty();
    }

    @Test
    void messagesPublishedStraightToTheNormalQueueWithNothingInThemAreParked() throws Exception {
        channel.basicPublish("", names.tasks(), null, new byte[] {9});
        channel.basicPublish(
                "",
                names.tasks(),
                new AMQP.BasicProperties.Builder().messageId("bare-1").build(),
                new byte[0]);
        assertThat(parked("bare-1").getProps().getHeaders().get(ParkedMessage.REASON))
                .hasToString("unknown-type");
    }

    @Test
    void theQueuesOnTheBrokerAreThoseOfTheTopologyAndNoMore() throws Exception {
        for (Topology.Queue queue : connector.topology().queues()) {
            assertThat(channel.queueDeclarePassive(queue.name()).getQueue()).isEqualTo(queue.name());
        }
        assertThat(connector.topology().queues()).hasSize(18 + 5);
    }

    private GetResponse parked(String id) throws IOException {
        return client.take(names.parked(), id);
    }
}
