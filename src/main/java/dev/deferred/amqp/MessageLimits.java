package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.Frame;
import dev.deferred.core.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * The limits of AMQP 0-9-1 that the Java client meets only while it writes, too late: a message that breaks one would close or
 * wedge its channel and take other messages with it. So each is checked before the client sees the message.
 */
public final class MessageLimits {
    /** Names and short text, in bytes of UTF-8. */
    static final int SHORT_TEXT = 255;

    /** All headers together, encoded: well within one frame of 131,072 bytes. */
    static final int HEADERS = 65_536;

    private final int maxBodyBytes;

    /** @param maxBodyBytes the largest body, in bytes; RabbitMQ takes 16 MiB from 4.0 on */
    MessageLimits(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    /** What is wrong with the message: the field, its limit and what was found. Empty when nothing is. */
    Optional<String> fault(String exchange, String routingKey, AMQP.BasicProperties properties, byte[] body) {
        return shortTexts(exchange, routingKey, properties)
                .or(() -> properties.getMessageId() == null
                        ? Optional.of("message-id is missing: every message needs one")
                        : Optional.empty())
                .or(() -> absent("user-id", properties.getUserId()))
                .or(() -> absent("cluster-id", properties.getClusterId()))
                .or(() -> absent("expiration", properties.getExpiration()))
                .or(() -> headers(properties.getHeaders()))
                .or(() -> body.length > maxBodyBytes
                        ? Optional.of("the body has " + body.length + " bytes; the limit is " + maxBodyBytes)
                        : Optional.empty());
    }

    /**
     * What is wrong with names and short texts. Those of an incoming message can be too long too: what is no UTF-8 grows when
     * it is read as such.
     */
    static Optional<String> shortTexts(String exchange, String routingKey, AMQP.BasicProperties properties) {
        return shortText("exchange", exchange)
                .or(() -> shortText("routing key", routingKey))
                .or(() -> shortText("message-id", properties.getMessageId()))
                .or(() -> shortText("type", properties.getType()))
                .or(() -> shortText("content-type", properties.getContentType()))
                .or(() -> shortText("content-encoding", properties.getContentEncoding()))
                .or(() -> shortText("correlation-id", properties.getCorrelationId()))
                .or(() -> shortText("reply-to", properties.getReplyTo()))
                .or(() -> shortText("app-id", properties.getAppId()));
    }

    /** What is wrong with a short text; empty when nothing is, or when there is none. */
    public static Optional<String> shortText(String field, String value) {
        if (value == null || value.length() <= SHORT_TEXT / 3) {
            return Optional.empty();
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= SHORT_TEXT
                ? Optional.empty()
                : Optional.of(field + " has " + bytes + " bytes; the limit is " + SHORT_TEXT);
    }

    private static Optional<String> absent(String field, String value) {
        return value == null ? Optional.empty() : Optional.of(field + " can't be sent: it steers the broker");
    }

    /** What is wrong with the names of a table's headers; not of tables in it. */
    static Optional<String> names(Map<?, ?> table) {
        for (Object key : table.keySet()) {
            String name = key.toString();
            Optional<String> fault = shortText("", name);
            if (fault.isPresent()) {
                return fault.map(says -> "the name of header " + Excerpt.quoted(name) + says);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> allNames(Object value) {
        if (value instanceof Map<?, ?> table) {
            return names(table).or(() -> allNames(table.values()));
        }
        if (value instanceof Collection<?> values) {
            for (Object inner : values) {
                Optional<String> fault = allNames(inner);
                if (fault.isPresent()) {
                    return fault;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> headers(Map<String, Object> headers) {
        if (headers == null || headers.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> fault = allNames(headers);
        if (fault.isPresent()) {
            return fault;
        }
        long bytes;
        try {
            bytes = Frame.tableSize(headers);
        } catch (RuntimeException | java.io.UnsupportedEncodingException e) {
            return Optional.of("a header has a value that AMQP can't carry: " + e.getMessage());
        }
        return bytes <= HEADERS
                ? Optional.empty()
                : Optional.of("the headers have " + bytes + " bytes; the limit is " + HEADERS + " for all together");
    }
}
