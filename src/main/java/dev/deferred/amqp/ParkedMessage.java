package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
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
        String routingKey = fitting(from.routingKey());
        Map<String, Object> headers = new LinkedHashMap<>(ApplicationHeaders.fitting(
                ApplicationHeaders.in(Headers.of(found).all(), Set.of())));
        destination(found).ifPresent(exchange -> headers.put(Wire.EXCHANGE, exchange));
        add(headers, routingKey, reason, detail, nowMillis);
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .messageId(Wire.idOf(fitting(found.getMessageId()), nowMillis).value())
                .type(fitting(found.getType()))
                .contentType(fitting(found.getContentType()))
                .contentEncoding(fitting(found.getContentEncoding()))
                .priority(found.getPriority())
                .correlationId(fitting(found.getCorrelationId()))
                .replyTo(fitting(found.getReplyTo()))
                .appId(fitting(found.getAppId()))
                .timestamp(Wire.timestamp(nowMillis))
                .headers(headers)
                .build();
        return Message.of(odd.getPayload(), Metadata.of(Outgoing.toOwnExchange(routingKey, properties)));
    }

    /** Where it was to go: when that is allowed one day, it can come back and go there. */
    private static Optional<String> destination(AMQP.BasicProperties found) {
        return Headers.of(found).textIfAny(Wire.EXCHANGE).filter(exchange -> MessageLimits.shortText(
                        Wire.EXCHANGE, exchange)
                .isEmpty());
    }

    /** A text, or as much of it as can be sent. */
    private static String fitting(String text) {
        return MessageLimits.shortText("text", text).isEmpty() ? text : Excerpt.ofBytes(text, MessageLimits.SHORT_TEXT);
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

    /** When it was parked, epoch milliseconds; empty when it was not, or by the broker, or a stranger wrote something else. */
    public static Optional<Long> parkedAt(Headers headers) {
        return headers.all().get(AT) instanceof Long at && at >= 0 ? Optional.of(at) : Optional.empty();
    }

    /** A task that was parked and comes back: due now, with all its attempts before it, by its old routing key. */
    static Task renewed(Task task, Headers headers, long nowMillis) {
        Optional<String> routingKey = headers.text(ROUTING_KEY);
        return task.to(new Destination(
                        task.destination().exchange(),
                        routingKey.orElse(task.destination().routingKey())))
                .renewed(nowMillis);
    }
}
