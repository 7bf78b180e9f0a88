package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import dev.deferred.core.Attempts;
import dev.deferred.core.Destination;
import dev.deferred.core.Excerpt;
import dev.deferred.core.Task;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;

/** How a message looks that is set aside in the parking queue: as before, with the reason in bounded headers. */
public final class ParkedMessage {
    /** Why it was parked: one of the codes of {@link ParkReason}. */
    public static final String REASON = "deferred-parked-reason";

    /** Why it was parked, in words. */
    public static final String DETAIL = "deferred-parked-detail";

    /** When it was parked: epoch milliseconds. */
    public static final String AT = "deferred-parked-at";

    /** Its routing key, which a message loses that is moved from queue to queue by hand. */
    public static final String ROUTING_KEY = "deferred-routing-key";

    private static final int DETAIL_LENGTH = 2_000;

    private ParkedMessage() {}

    /** The message of a task. */
    public static Message<byte[]> of(Task task, ParkReason reason, String detail, long nowMillis) {
        String routingKey = task.destination().routingKey();
        Map<String, Object> headers = Wire.headers(task);
        add(headers, routingKey, reason, detail, nowMillis);
        return Message.of(
                task.payload().bytes(),
                Metadata.of(Outgoing.toOwnExchange(routingKey, Wire.properties(task, headers))));
    }

    /** A message that is no task: its body, what can be kept of its properties and headers, and the reason. */
    public static Message<byte[]> of(Message<byte[]> odd, ParkReason reason, String detail, long nowMillis) {
        Incoming from = Incoming.of(odd);
        AMQP.BasicProperties found = from.properties();
        Map<String, Object> headers = new LinkedHashMap<>(ApplicationHeaders.fitting(
                ApplicationHeaders.in(Headers.of(found).all(), Set.of())));
        add(headers, from.routingKey(), reason, detail, nowMillis);
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .messageId(Wire.idOf(found, nowMillis).value())
                .type(found.getType())
                .contentType(found.getContentType())
                .contentEncoding(found.getContentEncoding())
                .priority(found.getPriority())
                .correlationId(found.getCorrelationId())
                .replyTo(found.getReplyTo())
                .appId(found.getAppId())
                .timestamp(Wire.timestamp(nowMillis))
                .headers(headers)
                .build();
        return Message.of(odd.getPayload(), Metadata.of(Outgoing.toOwnExchange(from.routingKey(), properties)));
    }

    private static void add(
            Map<String, Object> headers, String routingKey, ParkReason reason, String detail, long nowMillis) {
        headers.put(ROUTING_KEY, routingKey);
        headers.put(REASON, reason.code());
        headers.put(DETAIL, shorten(detail));
        headers.put(AT, nowMillis);
    }

    /** The detail as it is parked and logged: at most 2,000 characters and a sign that more was there. */
    public static String shorten(String detail) {
        return Excerpt.of(detail, DETAIL_LENGTH);
    }

    /** Whether a message with these headers has been parked before. */
    public static boolean isOne(Headers headers) {
        return headers.has(REASON);
    }

    /** A task that was parked and comes back: due now, with all its attempts before it, by its old routing key. */
    static Task renewed(Task task, Headers headers, long nowMillis) {
        Optional<String> routingKey = headers.text(ROUTING_KEY);
        return task.to(new Destination(
                        task.destination().exchange(),
                        routingKey.orElse(task.destination().routingKey())))
                .dueAt(nowMillis)
                .tried(Attempts.NONE);
    }
}
