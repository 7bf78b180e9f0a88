package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import dev.deferred.core.ParkedTask;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;

/** An entry of the log beside the parking queue: what was parked, without its payload, or that it is parked no more. */
public sealed interface ParkedRecord {
    /** How long the payload is that stays in the parking queue: bytes. */
    String PAYLOAD_BYTES = "deferred-payload-bytes";

    /** Of what is parked no more: when it had been parked, in epoch milliseconds. */
    String GONE = "deferred-parked-gone";

    /** The entry's number in the log, from 0 and rising, though not by one. */
    long position();

    /** Something was parked. */
    record Parked(long position, ParkedTask task) implements ParkedRecord {}

    /** What was parked under that id at that time, epoch milliseconds, has left the queue. */
    record Gone(long position, String id, long parkedAtMillis) implements ParkedRecord {}

    /** The entry for a message that {@link ParkedMessage} made and the parking queue holds. */
    static Message<byte[]> parked(Message<byte[]> parked) {
        Outgoing sent = parked.getMetadata(Outgoing.class).orElseThrow();
        Map<String, Object> headers = new LinkedHashMap<>();
        sent.properties().getHeaders().forEach((name, value) -> {
            if (name.startsWith(ApplicationHeaders.OURS)) {
                headers.put(name, value);
            }
        });
        headers.put(PAYLOAD_BYTES, (long) parked.getPayload().length);
        return entry(
                sent.routingKey(),
                new AMQP.BasicProperties.Builder()
                        .messageId(sent.properties().getMessageId())
                        .type(sent.properties().getType())
                        .contentType(sent.properties().getContentType())
                        .headers(headers)
                        .build());
    }

    /** The entry that says that what was parked at that time is parked no more. */
    static Message<byte[]> gone(String id, long parkedAtMillis) {
        return entry(
                "",
                new AMQP.BasicProperties.Builder()
                        .messageId(id)
                        .headers(Map.of(GONE, parkedAtMillis))
                        .build());
    }

    private static Message<byte[]> entry(String routingKey, AMQP.BasicProperties properties) {
        return Message.of(new byte[0], Metadata.of(Outgoing.toOwnExchange(routingKey, properties)));
    }

    /**
     * Reads an entry.
     *
     * @throws IllegalArgumentException when it is none, in words
     */
    static ParkedRecord read(Message<byte[]> message) {
        Headers headers = Headers.of(message);
        long position = StreamPosition.of(message);
        Incoming from = Incoming.of(message);
        String id = from.properties().getMessageId();
        if (id == null) {
            throw new IllegalArgumentException("it has no message-id");
        }
        Optional<Long> gone = headers.number(GONE, 0, Long.MAX_VALUE);
        return gone.isPresent() ? new Gone(position, id, gone.get()) : new Parked(position, task(id, from, headers));
    }

    private static ParkedTask task(String id, Incoming from, Headers headers) {
        AMQP.BasicProperties properties = from.properties();
        return new ParkedTask(
                id,
                Optional.ofNullable(properties.getType()).orElse(from.routingKey()),
                headers.text(ParkedMessage.ROUTING_KEY).orElse(from.routingKey()),
                headers.text(Wire.EXCHANGE),
                headers.text(ParkedMessage.REASON).orElse(""),
                headers.text(ParkedMessage.DETAIL).orElse(""),
                headers.has(Wire.ATTEMPT) ? Optional.of(Wire.attempts(headers)) : Optional.empty(),
                headers.number(Wire.DUE_AT, 0, Long.MAX_VALUE),
                headers.number(Wire.SCHEDULED_AT, 0, Long.MAX_VALUE),
                ParkedMessage.parkedAt(headers).orElse(0L),
                Optional.ofNullable(properties.getContentType()).orElse(""),
                headers.number(PAYLOAD_BYTES, 0, Long.MAX_VALUE).orElse(0L));
    }
}
