package dev.deferred.bench;

import com.rabbitmq.client.AMQP;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** The same task for both sides: as a request to the service, and as the message that the service makes of it. */
final class Messages {
    static final String TYPE = "bench";
    static final String DUE_AT = "deferred-due-at";

    private static final byte[] PAYLOAD =
            ("{\"order\":\"0198c5d2-7a41-7d6e-9f3a-5b1c2d3e4f50\",\"customer\":\"c-20417\","
                            + "\"amount\":\"129.90\",\"currency\":\"EUR\",\"placed\":\"2026-01-15T10:00:00.000Z\",\"attempts\":0}")
                    .getBytes(StandardCharsets.UTF_8);

    private final Random random = new Random();

    /** Requests that schedule a task each, all with the same delay. */
    static Supplier<byte[]> requests(Duration delay) {
        byte[] request = request(TYPE, delay, new String(PAYLOAD, StandardCharsets.UTF_8));
        return () -> request;
    }

    /** A request that schedules a task of the usual payload. */
    static byte[] request(Duration delay) {
        return request(TYPE, delay, new String(PAYLOAD, StandardCharsets.UTF_8));
    }

    /** The same request for an endpoint that does nothing with it. */
    static Supplier<byte[]> requestsForNothing() {
        byte[] request = post("/nothing", body(TYPE, Duration.ZERO, new String(PAYLOAD, StandardCharsets.UTF_8)));
        return () -> request;
    }

    /** A request that schedules a task, headers and body. */
    static byte[] request(String type, Duration delay, String payload) {
        return post("/tasks", body(type, delay, payload));
    }

    private static String body(String type, Duration delay, String payload) {
        return "{\"type\":\"%s\",\"delay\":\"%dms\",\"payload\":%s}".formatted(type, delay.toMillis(), payload);
    }

    private static byte[] post(String path, String body) {
        return ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    static byte[] body() {
        return PAYLOAD.clone();
    }

    /** The properties of a new task that is due after the delay. */
    @SuppressWarnings("JavaUtilDate") // the Java client's type
    AMQP.BasicProperties properties(Duration delay) {
        long now = System.currentTimeMillis();
        Task task = Task.first(
                TaskId.generate(now, random), TYPE, now, now + delay.toMillis(), Payload.of(PAYLOAD, Payload.JSON));
        return new AMQP.BasicProperties.Builder()
                .deliveryMode(2)
                .messageId(task.id().value())
                .type(task.type())
                .contentType(Payload.JSON)
                .timestamp(new Date(now))
                .headers(Map.of(
                        DUE_AT,
                        task.dueAtMillis(),
                        "deferred-scheduled-at",
                        task.scheduledAtMillis(),
                        "deferred-attempt",
                        (long) task.attempt()))
                .build();
    }
}
