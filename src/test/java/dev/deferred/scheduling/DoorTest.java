package dev.deferred.scheduling;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.Wire;
import dev.deferred.testing.Broker;
import dev.deferred.testing.PlainClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What any AMQP client can do by publishing to the exchange where tasks enter, on a real broker. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(DoorTest.OpenDoors.class)
class DoorTest {
    /** Two headers for a delay, and destinations of every kind. */
    public static final class OpenDoors implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "deferred.delay-headers", "x-delay,new-delay",
                    "deferred.destinations", "door-*,amq.default",
                    "deferred.max-delay", "1d");
        }
    }

    /** What arrived, and how long after it was sent. */
    private record Got(Delivery delivery, long afterMillis) {
        AMQP.BasicProperties properties() {
            return delivery.getProperties();
        }

        String key() {
            return delivery.getEnvelope().getRoutingKey();
        }
    }

    private static final Duration AT_MOST = Duration.ofSeconds(20);
    private static final AtomicInteger TESTS = new AtomicInteger();

    @Inject
    SchedulingConfig config;

    @Inject
    Config mpConfig;

    private final Queue<Got> got = new ConcurrentLinkedQueue<>();
    private final List<String> made = new ArrayList<>();
    private Names names;
    private PlainClient client;
    private Channel channel;
    private String mine;
    private String queue;
    private long began;

    @BeforeEach
    void listenAsAnotherService() throws Exception {
        names = new Names(config.prefix());
        client = new PlainClient(mpConfig);
        channel = client.channel();
        mine = "door" + TESTS.incrementAndGet();
        queue = "listener-" + names.prefix() + "-" + mine;
        channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueBind(queue, names.tasks(), mine + ".#");
        channel.basicConsume(
                queue,
                true,
                (tag, delivery) -> got.add(new Got(delivery, System.currentTimeMillis() - began)),
                tag -> {});
        began = System.currentTimeMillis();
    }

    @AfterEach
    void leave() throws IOException {
        channel.queueDelete(queue);
        for (String exchange : made) {
            channel.exchangeDelete(exchange);
        }
        client.close();
    }

    private static AMQP.BasicProperties.Builder with(Map<String, Object> headers) {
        return new AMQP.BasicProperties.Builder().headers(headers);
    }

    private void send(String key, AMQP.BasicProperties properties) throws IOException {
        channel.basicPublish(names.in(), key, properties, "body".getBytes(UTF_8));
    }

    private Got only() {
        await().atMost(AT_MOST).until(() -> got.size() == 1);
        return got.poll();
    }

    private String reasonOf(String id) throws IOException {
        GetResponse parked = client.take(names.parked(), id);
        assertThat(parked.getBody()).asString().isEqualTo("body");
        Map<String, Object> headers = parked.getProps().getHeaders();
        return headers.get(ParkedMessage.REASON) + ": " + headers.get(ParkedMessage.DETAIL);
    }

    @Test
    void aDelayIsMillisecondsOfAnyIntegerTypeOrTheirDigits() throws IOException {
        for (Object delay : List.of(1_100, 1_100L, "1100", " 1100 ")) {
            began = System.currentTimeMillis();
            send(mine + ".delay", with(Map.of("x-delay", delay)).build());
            assertThat(only().afterMillis()).as(delay.toString()).isGreaterThanOrEqualTo(1_100);
        }
        for (Object delay : List.of((short) 100, (byte) 100)) {
            began = System.currentTimeMillis();
            send(mine + ".delay", with(Map.of("new-delay", delay)).build());
            assertThat(only().afterMillis()).isBetween(100L, 1_500L);
        }
    }

    @Test
    void aDueTimeIsEpochMillisecondsAndNoHeaderMeansNow() throws IOException {
        send(mine + ".at", with(Map.of(Wire.DUE_AT, began + 1_300)).build());
        assertThat(only().afterMillis()).isGreaterThanOrEqualTo(1_300);
        for (AMQP.BasicProperties properties : new AMQP.BasicProperties[] {
            null,
            with(Map.of(Wire.DUE_AT, began - 86_400_000L)).build(),
            with(Map.of("x-delay", 0)).build()
        }) {
            began = System.currentTimeMillis();
            send(mine + ".now", properties);
            assertThat(only().afterMillis()).isLessThan(2_000);
        }
    }

    @Test
    void aMessageCanBePutStraightIntoATier() throws IOException {
        channel.basicPublish(names.prefix() + ".delay.1s", mine + ".tier", null, "body".getBytes(UTF_8));
        Got it = only();
        assertThat(it.afterMillis()).isBetween(1_000L, 4_000L);
        assertThat(it.key()).isEqualTo(mine + ".tier");
    }

    @Test
    void aMessageIdIsKeptAndMadeWhereThereIsNone() throws IOException {
        send(mine + ".id", with(Map.of()).messageId("order/42 ü").build());
        assertThat(only().properties().getMessageId()).isEqualTo("order/42 ü");
        send(mine + ".id", with(Map.of()).build());
        assertThat(only().properties().getMessageId()).hasSize(36);
    }

    @Test
    void headersAndPropertiesOfTheApplicationArriveAsTheyWere() throws IOException {
        Map<String, Object> headers = new HashMap<>();
        headers.put("text", "é\u0000");
        headers.put("int", 7);
        headers.put("long", 1L << 40);
        headers.put("decimal", new BigDecimal("12.50"));
        headers.put("double", 1.5);
        headers.put("flag", true);
        headers.put("nothing", null);
        headers.put("bytes", new byte[] {0, -1});
        headers.put("time", Date.from(Instant.ofEpochSecond(1_700_000_000)));
        headers.put("list", List.of(1, "two", List.of(3L)));
        headers.put("table", Map.of("a", Map.of("b", 1)));
        AMQP.BasicProperties sent = with(headers)
                .messageId("full")
                .type("some.type")
                .contentType("application/x-odd")
                .contentEncoding("gzip")
                .priority(7)
                .correlationId("c-1")
                .replyTo("answers")
                .appId("shop")
                .build();
        Map<String, Object> delayed = new HashMap<>(headers);
        delayed.put("x-delay", 1_200);
        send(mine + ".full", sent.builder().headers(delayed).build());
        AMQP.BasicProperties arrived = only().properties();
        Map<String, Object> theirs = new HashMap<>(arrived.getHeaders());
        assertThat(theirs.keySet()).containsAll(headers.keySet()).doesNotContain("x-delay");
        theirs.keySet().removeIf(name -> name.startsWith("deferred-"));
        assertThat(shown(theirs)).isEqualTo(shown(headers));
        assertThat((byte[]) theirs.get("bytes")).containsExactly(0, -1);
        assertThat(arrived.getType()).isEqualTo("some.type");
        assertThat(arrived.getContentType()).isEqualTo("application/x-odd");
        assertThat(arrived.getContentEncoding()).isEqualTo("gzip");
        assertThat(arrived.getPriority()).isEqualTo(7);
        assertThat(arrived.getCorrelationId()).isEqualTo("c-1");
        assertThat(arrived.getReplyTo()).isEqualTo("answers");
        assertThat(arrived.getAppId()).isEqualTo("shop");
        assertThat(arrived.getDeliveryMode()).isEqualTo(2);
    }

    private static String shown(Map<String, Object> headers) {
        return new TreeMap<>(headers).toString().replaceAll("\\[B@\\w+", "bytes");
    }

    @Test
    void whatSteersABrokerDoesNotTravelOn() throws IOException {
        String copies = queue + "-copies";
        channel.queueDeclare(copies, false, true, true, null);
        Map<String, Object> death = Map.of(
                "queue", names.prefix() + ".delay.1s", "reason", "expired", "count", 99L, "exchange", names.in());
        Map<String, Object> headers = new HashMap<>();
        headers.put("x-death", List.of(death));
        headers.put("x-first-death-queue", "a");
        headers.put("x-first-death-reason", "expired");
        headers.put("x-last-death-queue", "a");
        headers.put("x-delivery-count", 19L);
        headers.put("x-delay", 2_300);
        headers.put("mine", "stays");
        send(mine + ".steering", with(headers).expiration("60000").build());
        Got it = only();
        assertThat(it.afterMillis()).isGreaterThanOrEqualTo(2_300);
        assertThat(it.properties().getHeaders()).containsOnlyKeys(Wire.DUE_AT, Wire.SCHEDULED_AT, Wire.ATTEMPT, "mine");
        assertThat(it.properties().getExpiration()).isNull();
        send(
                mine + ".list",
                with(Map.of("x-death", List.of("forged"), "x-delay", 1_100)).build());
        assertThat(only().afterMillis()).isGreaterThanOrEqualTo(1_100);
        send(
                mine + ".copy",
                with(Map.of("CC", List.of(copies), "x-delay", 1_100)).build());
        only();
        assertThat(channel.messageCount(copies)).isZero();
    }

    @Test
    void whatIsNotAllowedIsParkedWithTheReasonAndNeverRun() throws IOException {
        Map<String, Map<String, Object>> refused = new HashMap<>();
        int n = 0;
        for (Object delay : List.of(
                -1,
                -1L,
                "-1",
                86_400_001L,
                Long.MAX_VALUE,
                "99999999999999999999",
                "soon",
                "",
                "1.5",
                "1e3",
                1.5,
                true,
                List.of(1),
                Map.of("ms", 1),
                new byte[] {1},
                new BigDecimal("5"))) {
            refused.put(mine + "-" + n++ + "-x-delay", Map.of("x-delay", delay));
        }
        refused.put(mine + "-x-delay", Map.of("x-delay", 1, "new-delay", 1));
        refused.put(mine + "-deferred-due-at", Map.of("x-delay", 1, Wire.DUE_AT, began));
        refused.put(
                mine + "-far-deferred-due-at",
                Map.of(Wire.DUE_AT, began + Duration.ofDays(2).toMillis()));
        refused.put(mine + "-past-deferred-due-at", Map.of(Wire.DUE_AT, -5L));
        refused.put(mine + "-deferred-attempt", Map.of(Wire.ATTEMPT, 0));
        refused.put(mine + "-other.exchange", Map.of(Wire.EXCHANGE, "other.exchange"));
        refused.put(mine + "-" + names.in(), Map.of(Wire.EXCHANGE, names.in()));
        refused.put(mine + "-" + names.parked(), Map.of(Wire.EXCHANGE, names.parked()));
        refused.put(mine + "-headers have", Map.of("large", "x".repeat(40_000)));
        for (Map.Entry<String, Map<String, Object>> each : refused.entrySet()) {
            send(
                    mine + ".refused",
                    with(each.getValue()).messageId(each.getKey()).build());
        }
        channel.basicPublish(
                names.in(),
                names.due(),
                with(Map.of(Wire.EXCHANGE, "")).messageId(mine + "-loop").build(),
                "body".getBytes(UTF_8));
        assertThat(reasonOf(mine + "-loop")).startsWith("refused: ").contains(names.due());
        for (String id : refused.keySet()) {
            String named = id.substring(id.lastIndexOf('-', id.length() - 1) + 1);
            assertThat(reasonOf(id)).as(id).startsWith("refused: ").contains(named);
        }
        send(mine + ".good", null);
        assertThat(only().key()).isEqualTo(mine + ".good");
    }

    @Test
    void aDestinationOfAnyKindGetsTheTaskWithItsExactKey() throws IOException {
        for (BuiltinExchangeType type : List.of(
                BuiltinExchangeType.DIRECT,
                BuiltinExchangeType.FANOUT,
                BuiltinExchangeType.TOPIC,
                BuiltinExchangeType.HEADERS)) {
            String exchange = "door-" + names.prefix() + "-" + type.getType();
            channel.exchangeDeclare(exchange, type, true);
            made.add(exchange);
            channel.queueBind(queue, exchange, "exact.Key é", Map.of("x-match", "all", "colour", "red"));
            send(
                    "exact.Key é",
                    with(Map.of(Wire.EXCHANGE, exchange, "x-delay", 150, "colour", "red"))
                            .build());
            Got it = only();
            assertThat(it.key()).isEqualTo("exact.Key é");
            assertThat(it.delivery().getEnvelope().getExchange()).isEqualTo(exchange);
        }
        for (String theDefault : List.of("", "amq.default")) {
            send(
                    queue,
                    with(Map.of(Wire.EXCHANGE, theDefault, "x-delay", 1_050)).build());
            assertThat(only().key()).isEqualTo(queue);
        }
    }

    @Test
    void aDestinationThatIsMissingOrHasNoRouteParksItsTaskAndHoldsUpNoOther() throws IOException {
        String exchange = "door-" + names.prefix() + "-empty";
        channel.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true);
        made.add(exchange);
        for (int i = 0; i < 5; i++) {
            send(
                    "k",
                    with(Map.of(Wire.EXCHANGE, "door-nowhere"))
                            .messageId(mine + "-missing-" + i)
                            .build());
            send(
                    "k",
                    with(Map.of(Wire.EXCHANGE, exchange))
                            .messageId(mine + "-unbound-" + i)
                            .build());
            send(mine + ".beside", null);
        }
        await().atMost(AT_MOST).until(() -> got.size() == 5);
        for (int i = 0; i < 5; i++) {
            assertThat(reasonOf(mine + "-missing-" + i))
                    .startsWith("unroutable: ")
                    .contains("door-nowhere");
            assertThat(reasonOf(mine + "-unbound-" + i))
                    .startsWith("unroutable: ")
                    .contains(exchange);
        }
    }

    @Test
    void oddRoutingKeysAreKept() throws IOException {
        String exchange = "door-" + names.prefix() + "-keys";
        channel.exchangeDeclare(exchange, BuiltinExchangeType.FANOUT, true);
        made.add(exchange);
        channel.queueBind(queue, exchange, "");
        for (String key : List.of("", "é".repeat(127), "a b/#*\n")) {
            send(key, with(Map.of(Wire.EXCHANGE, exchange, "x-delay", 1_050)).build());
            assertThat(only().key()).isEqualTo(key);
        }
    }

    @Test
    void aTaskThatIsSentAgainWithAllItsHeadersAndADelayWaitsOnceMore() throws IOException {
        send(mine + ".again", with(Map.of("x-delay", 50, "mine", "stays")).build());
        Map<String, Object> headers = new HashMap<>(only().properties().getHeaders());
        headers.put("x-delay", 1_250);
        began = System.currentTimeMillis();
        send(mine + ".again", with(headers).build());
        Got it = only();
        assertThat(it.afterMillis()).isGreaterThanOrEqualTo(1_250);
        assertThat(it.properties().getHeaders()).containsKey("mine").doesNotContainKey("x-delay");
    }

    @Test
    void forgedMarksOfOursNeitherLoseAMessageNorHoldItUp() throws IOException {
        for (Map<String, Object> forged : List.<Map<String, Object>>of(
                Map.of(Wire.ATTEMPT, 1_000),
                Map.of(Wire.CRASHES, Integer.MAX_VALUE),
                Map.of(Wire.SCHEDULED_AT, Long.MAX_VALUE),
                Map.of(Wire.SCHEDULED_AT, 0L, Wire.DUE_AT, 0L),
                Map.of(Wire.LAST_FAILURE, "x".repeat(30_000)),
                Map.of(ParkedMessage.REASON, "failed", ParkedMessage.AT, -1, ParkedMessage.DETAIL, true))) {
            began = System.currentTimeMillis();
            send(mine + ".forged", with(forged).build());
            assertThat(only().afterMillis()).as(forged.toString()).isLessThan(5_000);
        }
    }

    @Test
    void whatWasParkedForItsDelayIsDueNowWhenItComesBackWhateverTheHeaderWas() throws IOException {
        for (String name : List.of("x-delay", "new-delay")) {
            String id = mine + "-" + name;
            send(mine + ".back", with(Map.of(name, -1)).messageId(id).build());
            GetResponse parked = client.take(names.parked(), id);
            send(mine + ".back", parked.getProps());
            Got it = only();
            assertThat(it.properties().getMessageId()).isEqualTo(id);
            assertThat(it.properties().getHeaders()).doesNotContainKey(name);
        }
    }

    @Test
    void theExchangesOfFailedTasksAreNoDestinationToChoose() throws IOException {
        for (String exchange : List.of(names.retry(), names.suspects())) {
            String id = mine + "-" + exchange;
            send(
                    mine + ".inner",
                    with(Map.of(Wire.EXCHANGE, exchange, "x-delay", 10))
                            .messageId(id)
                            .build());
            assertThat(reasonOf(id)).startsWith("refused: ").contains(exchange);
        }
    }
}
