package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import dev.deferred.core.Excerpt;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import java.security.SecureRandom;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;

/**
 * How a task is written as a message, and read from one. Properties are built anew for every publish: what a broker or a
 * stranger put on a message ({@code x-death}, {@code CC}, {@code expiration} and the like) never travels on.
 */
public final class Wire {
    /** When the task is due: epoch milliseconds. */
    public static final String DUE_AT = "deferred-due-at";
    /** When the task was accepted: epoch milliseconds. */
    public static final String SCHEDULED_AT = "deferred-scheduled-at";
    /** Which attempt is next, from 1. */
    public static final String ATTEMPT = "deferred-attempt";
    /** Why a message was parked: one of the codes of {@link ParkReason}. */
    public static final String PARKED_REASON = "deferred-parked-reason";
    /** Why a message was parked, in words. */
    public static final String PARKED_DETAIL = "deferred-parked-detail";
    /** When a message was parked: epoch milliseconds. */
    public static final String PARKED_AT = "deferred-parked-at";
    /** The exchange through which a parked message came last. */
    public static final String PARKED_EXCHANGE = "deferred-parked-exchange";

    private static final int DETAIL_LENGTH = 2_000;

    private static final String BYTES = "application/octet-stream";
    private static final RandomGenerator RANDOM = new SecureRandom();

    private Wire() {}

    /** The message of a task, for the channel's own exchange. */
    public static Message<byte[]> write(Task task) {
        return message(
                task.routingKey(), properties(task).build(), task.payload().bytes());
    }

    /** The message of a task that is parked. */
    public static Message<byte[]> writeParked(Task task, ParkReason reason, String detail, long nowMillis) {
        AMQP.BasicProperties properties = properties(task).build();
        Map<String, Object> headers = new LinkedHashMap<>(properties.getHeaders());
        addParked(headers, reason, detail, nowMillis);
        return message(
                task.routingKey(),
                properties.builder().headers(headers).build(),
                task.payload().bytes());
    }

    /** A message that is no task, for parking: its body, what can be kept of its properties, and the reason. */
    public static Message<byte[]> writeParked(Message<byte[]> odd, ParkReason reason, String detail, long nowMillis) {
        Incoming from = Incoming.of(odd);
        AMQP.BasicProperties found = from.properties();
        Map<String, Object> headers = new LinkedHashMap<>();
        addParked(headers, reason, detail, nowMillis);
        headers.put(PARKED_EXCHANGE, from.exchange());
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .messageId(idOf(found, nowMillis).value())
                .type(found.getType())
                .contentType(found.getContentType())
                .contentEncoding(found.getContentEncoding())
                .correlationId(found.getCorrelationId())
                .appId(found.getAppId())
                .timestamp(timestamp(nowMillis))
                .headers(headers)
                .build();
        return message(from.routingKey(), properties, odd.getPayload());
    }

    private static void addParked(Map<String, Object> headers, ParkReason reason, String detail, long nowMillis) {
        headers.put(PARKED_REASON, reason.code());
        headers.put(PARKED_DETAIL, shorten(detail));
        headers.put(PARKED_AT, nowMillis);
    }

    /** The detail as it is parked and logged: at most 2,000 characters and a sign that more was there. */
    public static String shorten(String detail) {
        return Excerpt.of(detail, DETAIL_LENGTH);
    }

    private static AMQP.BasicProperties.Builder properties(Task task) {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put(DUE_AT, task.dueAtMillis());
        headers.put(SCHEDULED_AT, task.scheduledAtMillis());
        headers.put(ATTEMPT, (long) task.attempt());
        return new AMQP.BasicProperties.Builder()
                .messageId(task.id().value())
                .type(task.type())
                .contentType(task.payload().contentType())
                .timestamp(timestamp(task.scheduledAtMillis()))
                .headers(headers);
    }

    @SuppressWarnings("JavaUtilDate") // the Java client's type
    private static Date timestamp(long millis) {
        return new Date(millis);
    }

    private static Message<byte[]> message(String routingKey, AMQP.BasicProperties properties, byte[] body) {
        return Message.of(body, Metadata.of(new Outgoing("", routingKey, properties)));
    }

    /**
     * Reads a task from a message. Without {@value #DUE_AT} it is due now; without a type, its routing key is its type;
     * without a message-id it gets an id.
     *
     * @param nowMillis epoch milliseconds
     */
    public static Decoded read(Message<byte[]> message, long nowMillis) {
        Incoming from = Incoming.of(message);
        AMQP.BasicProperties properties = from.properties();
        Map<String, Object> headers = properties.getHeaders() == null ? Map.of() : properties.getHeaders();
        try {
            return new Decoded.Sound(new Task(
                    idOf(properties, nowMillis),
                    Optional.ofNullable(properties.getType()).orElse(from.routingKey()),
                    from.routingKey(),
                    number(headers, SCHEDULED_AT, nowMillis, 0, Long.MAX_VALUE),
                    number(headers, DUE_AT, nowMillis, 0, Long.MAX_VALUE),
                    (int) number(headers, ATTEMPT, 1, 1, Integer.MAX_VALUE),
                    Payload.of(
                            message.getPayload(),
                            Optional.ofNullable(properties.getContentType()).orElse(BYTES))));
        } catch (IllegalArgumentException e) {
            return new Decoded.Odd(e.getMessage());
        }
    }

    /** The queue in which the message expired since it was published last; empty when it did not. Set by the broker. */
    public static Optional<String> expiredIn(Message<byte[]> message) {
        Map<String, Object> headers = Incoming.of(message).properties().getHeaders();
        return Optional.ofNullable(headers)
                .map(all -> all.get("x-first-death-queue"))
                .map(Object::toString);
    }

    private static TaskId idOf(AMQP.BasicProperties properties, long nowMillis) {
        String id = properties.getMessageId();
        return id == null || id.isEmpty() ? TaskId.generate(nowMillis, RANDOM) : new TaskId(id);
    }

    private static long number(Map<String, Object> headers, String name, long otherwise, long least, long most) {
        Object value = headers.get(name);
        if (value == null) {
            return otherwise;
        }
        long number;
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            number = ((Number) value).longValue();
        } else {
            try {
                number = Long.parseLong(value.toString().strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "header " + name + " is not a whole number: found " + Excerpt.quoted(value.toString())
                                + ", expected epoch milliseconds or a count",
                        e);
            }
        }
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "header " + name + " is " + number + ", but must be from " + least + " to " + most);
        }
        return number;
    }
}
