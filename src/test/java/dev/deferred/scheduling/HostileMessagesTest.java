package dev.deferred.scheduling;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.core.Excerpt;
import dev.deferred.testing.Broker;
import dev.deferred.testing.LoggedLines;
import dev.deferred.testing.PlainClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages made to break whoever reads them: each is parked with the reason, and the next good one goes on. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(DoorTest.OpenDoors.class)
class HostileMessagesTest {
    private static final Duration AT_MOST = Duration.ofSeconds(20);
    private static final String KEY = "hostile";

    /** Stands for the byte 0xFF, which is nowhere in UTF-8. */
    private static final String NO_UTF8 = "~".repeat(100);

    @Inject
    SchedulingConfig config;

    @Inject
    Config mpConfig;

    private Names names;
    private PlainClient client;
    private Channel channel;
    private String queue;

    @BeforeEach
    void listenAsAnotherService() throws Exception {
        names = new Names(config.prefix());
        client = new PlainClient(mpConfig);
        channel = client.channel();
        queue = channel.queueDeclare("", false, true, true, null).getQueue();
        channel.queueBind(queue, names.tasks(), "#");
    }

    @AfterEach
    void theNextGoodOneGoesOn() throws Exception {
        channel.basicPublish(
                names.in(),
                KEY,
                new AMQP.BasicProperties.Builder().messageId("good").build(),
                body());
        AtomicReference<GetResponse> next = new AtomicReference<>();
        await().atMost(AT_MOST).until(() -> {
            next.set(channel.basicGet(queue, true));
            return next.get() != null;
        });
        assertThat(next.get().getProps().getMessageId()).isEqualTo("good");
        client.close();
    }

    private static byte[] body() {
        return "body".getBytes(UTF_8);
    }

    private static AMQP.BasicProperties properties(String id, Map<String, Object> headers) {
        return new AMQP.BasicProperties.Builder().messageId(id).headers(headers).build();
    }

    private void isParked(String id, String why) throws IOException {
        GetResponse parked = client.take(names.parked(), id);
        assertThat(parked.getBody()).isEqualTo(body());
        assertThat(parked.getProps().getHeaders().get(ParkedMessage.REASON)).hasToString("refused");
        assertThat(parked.getProps().getHeaders().get(ParkedMessage.DETAIL))
                .asString()
                .contains(why);
    }

    @Test
    void aTableNestedTenThousandDeep() throws Exception {
        for (String name : List.of("deep", "x-delay")) {
            AMQP.BasicProperties properties = properties("nested-" + name, Map.of(name, nested(10_000)));
            inADeepThread(() -> channel.basicPublish(names.in(), KEY, properties, body()));
            isParked("nested-" + name, name.equals("deep") ? "deeper than 50 levels" : "a table or a list");
        }
    }

    @Test
    void headersThatFillAFrame() throws IOException {
        channel.basicPublish(names.in(), KEY, properties("large", Map.of("h", "x".repeat(130_500))), body());
        isParked("large", "the limit is 32768");
        Map<String, Object> tiny = new HashMap<>();
        for (int i = 0; i < 18_000; i++) {
            tiny.put(String.format("%04x", i), (byte) 1);
        }
        channel.basicPublish(names.in(), KEY, properties("tiny", tiny), body());
        isParked("tiny", "the limit is 32768");
    }

    @Test
    void textThatIsNoUtf8() throws IOException {
        publishRaw(KEY, properties("headers", Map.of("t", Map.of(NO_UTF8, 1))));
        isParked("headers", "the name of header");
        publishRaw(KEY, properties("type", Map.of()).builder().type(NO_UTF8).build());
        isParked("type", "type has 300 bytes");
        publishRaw(NO_UTF8, properties("key", Map.of()));
        isParked("key", "routing key has 300 bytes");
        publishRaw(KEY, properties(NO_UTF8, Map.of()));
        isParked(Excerpt.ofBytes("\uFFFD".repeat(100), 255), "300");
    }

    @Test
    void anIdThatWouldWriteALineOfItsOwnIntoTheLog() throws Exception {
        String id = "id\n2026-01-01 ERROR forged\u2028\u202E";
        try (LoggedLines lines = LoggedLines.of(Parking.class.getName())) {
            channel.basicPublish(names.retry(), "no\nsuch\ntype", properties(id, Map.of()), body());
            assertThat(client.take(names.parked(), id).getBody()).isEqualTo(body());
            await().atMost(AT_MOST).until(() -> !lines.with("forged").isEmpty());
            assertThat(lines.with("")).noneMatch(line -> line.matches("(?s).*[\n\u2028\u202E].*"));
        }
    }

    /** Publishes on a channel as the client does, but with bytes that it would not write. */
    private void publishRaw(String routingKey, AMQP.BasicProperties properties) throws IOException {
        AMQConnection connection = (AMQConnection) channel.getConnection();
        int number = channel.getChannelNumber();
        Frame method = new AMQImpl.Basic.Publish(0, names.in(), routingKey, false, false).toFrame(number);
        connection.writeFrame(new Frame(AMQP.FRAME_METHOD, number, raw(method)));
        connection.writeFrame(new Frame(AMQP.FRAME_HEADER, number, raw(properties.toFrame(number, body().length))));
        connection.writeFrame(Frame.fromBodyFragment(number, body(), 0, body().length));
        connection.flush();
    }

    private static byte[] raw(Frame frame) {
        byte[] bytes = frame.getPayload();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '~') {
                bytes[i] = (byte) 0xFF;
            }
        }
        return bytes;
    }

    private static Map<String, Object> nested(int depth) {
        Map<String, Object> nested = Map.of("a", 1);
        for (int i = 0; i < depth; i++) {
            nested = Map.of("a", nested);
        }
        return nested;
    }

    private interface Sending {
        void run() throws IOException;
    }

    /** The client of the sender writes tables by recursion. */
    private static void inADeepThread(Sending sending) throws InterruptedException {
        AtomicReference<IOException> failure = new AtomicReference<>();
        Thread deep = new Thread(
                null,
                () -> {
                    try {
                        sending.run();
                    } catch (IOException e) {
                        failure.set(e);
                    }
                },
                "deep",
                1L << 29);
        deep.start();
        deep.join();
        assertThat(failure).hasNullValue();
    }
}
