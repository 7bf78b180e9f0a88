package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import dev.deferred.core.Attached;
import dev.deferred.core.Attempts;
import dev.deferred.core.Delays;
import dev.deferred.core.Destination;
import dev.deferred.core.Failure;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import java.security.SecureRandom;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;

/**
 * How a task is written as a message, and read from one. Properties are built anew for every publish: the application's own go
 * with the task, what a broker or a stranger put on it to steer a broker does not (see {@link ApplicationHeaders}).
 */
public final class Wire {
    /** When the task is due: epoch milliseconds. */
    public static final String DUE_AT = "deferred-due-at";

    /** When the task was accepted: epoch milliseconds. */
    public static final String SCHEDULED_AT = "deferred-scheduled-at";

    /** Which attempt is next, from 1. */
    public static final String ATTEMPT = "deferred-attempt";

    /** The exchange it goes to when it is due, where that is not the one of all tasks; empty text for the default exchange. */
    public static final String EXCHANGE = "deferred-exchange";

    /** In how many attempts the process went down; not there when in none. */
    public static final String CRASHES = "deferred-crashes";

    /** The first failure, in words; not there before it. */
    public static final String FIRST_FAILURE = "deferred-first-failure";

    /** When the first failure was: epoch milliseconds. */
    public static final String FIRST_FAILURE_AT = "deferred-first-failure-at";

    /** The last failure, in words; not there before it. */
    public static final String LAST_FAILURE = "deferred-last-failure";

    /** When the last failure was: epoch milliseconds. */
    public static final String LAST_FAILURE_AT = "deferred-last-failure-at";

    private static final RandomGenerator RANDOM = new SecureRandom();

    private Wire() {}

    /** The message of a task, for the channel's own exchange. */
    public static Message<byte[]> write(Task task) {
        return message(Outgoing.toOwnExchange(task.destination().routingKey(), properties(task, headers(task))), task);
    }

    /** The message of a task, for the exchange of its destination, which must be named. */
    public static Message<byte[]> writeToDestination(Task task) {
        return message(
                new Outgoing(
                        task.destination().exchange().orElseThrow(),
                        task.destination().routingKey(),
                        properties(task, headers(task))),
                task);
    }

    private static Message<byte[]> message(Outgoing to, Task task) {
        return Message.of(task.payload().bytes(), Metadata.of(to));
    }

    static Map<String, Object> headers(Task task) {
        Map<String, Object> headers = new LinkedHashMap<>(task.attached().headers());
        headers.put(DUE_AT, task.dueAtMillis());
        headers.put(SCHEDULED_AT, task.scheduledAtMillis());
        headers.put(ATTEMPT, (long) task.attempt());
        task.destination().exchange().ifPresent(exchange -> headers.put(EXCHANGE, exchange));
        Attempts attempts = task.attempts();
        if (attempts.crashes() > 0) {
            headers.put(CRASHES, (long) attempts.crashes());
        }
        attempts.first().ifPresent(failure -> put(headers, FIRST_FAILURE, FIRST_FAILURE_AT, failure));
        attempts.last().ifPresent(failure -> put(headers, LAST_FAILURE, LAST_FAILURE_AT, failure));
        return headers;
    }

    private static void put(Map<String, Object> headers, String text, String at, Failure failure) {
        headers.put(text, failure.text());
        headers.put(at, failure.atMillis());
    }

    static AMQP.BasicProperties properties(Task task, Map<String, Object> headers) {
        Attached attached = task.attached();
        String contentType = task.payload().contentType();
        return new AMQP.BasicProperties.Builder()
                .messageId(task.id().value())
                .type(task.type())
                .contentType(contentType.isEmpty() ? null : contentType)
                .contentEncoding(attached.contentEncoding().orElse(null))
                .priority(attached.priority().orElse(null))
                .correlationId(attached.correlationId().orElse(null))
                .replyTo(attached.replyTo().orElse(null))
                .appId(attached.appId().orElse(null))
                .timestamp(timestamp(task.scheduledAtMillis()))
                .headers(headers)
                .build();
    }

    @SuppressWarnings("JavaUtilDate") // the Java client's type
    static Date timestamp(long millis) {
        return new Date(millis);
    }

    /**
     * Reads a task from a message. Without {@value #DUE_AT} it is due now; without a type, its routing key is its type;
     * without a message-id it gets an id. One that had been parked is as good as new: due now, on its first attempt.
     *
     * @param nowMillis epoch milliseconds
     */
    public static Decoded read(Message<byte[]> message, long nowMillis) {
        return read(message, nowMillis, Set.of());
    }

    /**
     * Reads a task from a message.
     *
     * @param nowMillis epoch milliseconds
     * @param alsoSteering names of headers that do not belong to the application though their names don't say so
     */
    public static Decoded read(Message<byte[]> message, long nowMillis, Set<String> alsoSteering) {
        Incoming from = Incoming.of(message);
        try {
            Headers headers = Headers.of(from.properties());
            Task task = task(from, headers, message.getPayload(), nowMillis, alsoSteering);
            Task current = ParkedMessage.isOne(headers) ? ParkedMessage.renewed(task, headers, nowMillis) : task;
            return sendable(current, from.properties());
        } catch (IllegalArgumentException e) {
            return new Decoded.Odd(e.getMessage());
        }
    }

    /** A task that could not be sent on is none. */
    private static Decoded sendable(Task task, AMQP.BasicProperties properties) {
        Destination to = task.destination();
        Optional<String> fault = MessageLimits.shortTexts(to.exchange().orElse(""), to.routingKey(), properties);
        return fault.isPresent() ? new Decoded.Odd(fault.get()) : new Decoded.Sound(task);
    }

    private static Task task(Incoming from, Headers headers, byte[] body, long nowMillis, Set<String> alsoSteering) {
        AMQP.BasicProperties properties = from.properties();
        Map<String, Object> own = ApplicationHeaders.in(headers.all(), alsoSteering);
        ApplicationHeaders.fault(own).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        return new Task(
                idOf(properties.getMessageId(), nowMillis),
                Optional.ofNullable(properties.getType()).orElse(from.routingKey()),
                new Destination(headers.text(EXCHANGE), from.routingKey()),
                headers.number(SCHEDULED_AT, 0, Long.MAX_VALUE).orElse(nowMillis),
                headers.number(DUE_AT, 0, nowMillis + Delays.MAX.toMillis()).orElse(nowMillis),
                attempts(headers),
                Payload.of(
                        body, Optional.ofNullable(properties.getContentType()).orElse("")),
                attached(properties, own));
    }

    static Attempts attempts(Headers headers) {
        return new Attempts(
                headers.number(ATTEMPT, 1, Integer.MAX_VALUE).orElse(1L).intValue(),
                headers.number(CRASHES, 0, Integer.MAX_VALUE).orElse(0L).intValue(),
                failure(headers, FIRST_FAILURE, FIRST_FAILURE_AT),
                failure(headers, LAST_FAILURE, LAST_FAILURE_AT));
    }

    private static Optional<Failure> failure(Headers headers, String text, String at) {
        return headers.text(text)
                .map(what ->
                        new Failure(what, headers.number(at, 0, Long.MAX_VALUE).orElse(0L)));
    }

    static Attached attached(AMQP.BasicProperties properties, Map<String, Object> own) {
        return new Attached(
                own,
                Optional.ofNullable(properties.getPriority()),
                Optional.ofNullable(properties.getCorrelationId()),
                Optional.ofNullable(properties.getReplyTo()),
                Optional.ofNullable(properties.getContentEncoding()),
                Optional.ofNullable(properties.getAppId()));
    }

    /** Whether a message is due whenever it comes: it does not say when, or it was parked meanwhile. */
    public static boolean isDueOnArrival(Message<byte[]> message) {
        Headers headers = Headers.of(message);
        return !headers.has(DUE_AT) || ParkedMessage.isOne(headers);
    }

    /** The queue in which the message expired since it was published last; empty when it did not. Set by the broker. */
    public static Optional<String> expiredIn(Message<byte[]> message) {
        return Optional.ofNullable(Headers.of(message).all().get("x-first-death-queue"))
                .map(Object::toString);
    }

    /** The id of a task whose message has that message-id, which may be missing. */
    static TaskId idOf(String id, long nowMillis) {
        return id == null || id.isEmpty() ? TaskId.generate(nowMillis, RANDOM) : new TaskId(id);
    }
}
