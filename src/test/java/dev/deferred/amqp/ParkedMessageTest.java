package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.deferred.core.Attempts;
import dev.deferred.core.Destination;
import dev.deferred.core.Failure;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.junit.jupiter.api.Test;

class ParkedMessageTest {
    private static final byte[] BODY = {0, -1, 7};
    private static final long NOW = 1_700_000_000_000L;

    /** What a client reads who is sent bytes that are no UTF-8: each is three bytes long when it is sent again. */
    private static final String NO_UTF8 = "\uFFFD".repeat(255);

    private final MessageLimits limits = new MessageLimits(1_000);

    private static Message<byte[]> incoming(String routingKey, AMQP.BasicProperties properties) {
        return Message.of(BODY, Metadata.of(new Incoming("deferred.in", routingKey, properties, false, () -> true)));
    }

    private static AMQP.BasicProperties.Builder with(Map<String, Object> headers) {
        return new AMQP.BasicProperties.Builder().headers(headers);
    }

    private Outgoing sent(Message<byte[]> message) {
        Outgoing outgoing = message.getMetadata(Outgoing.class).orElseThrow();
        assertThat(limits.fault("deferred.parked", outgoing.routingKey(), outgoing.properties(), message.getPayload()))
                .isEmpty();
        return outgoing;
    }

    private Outgoing parked(Message<byte[]> odd, String detail) {
        Message<byte[]> message = ParkedMessage.of(odd, ParkReason.REFUSED, detail, NOW);
        assertThat(message.getPayload()).isEqualTo(BODY);
        return sent(message);
    }

    @Test
    void anOddMessageKeepsWhatIsTheApplications() {
        AMQP.BasicProperties found = with(Map.of("mine", 1, "x-delay", -1, "deferred-attempt", 7, "CC", List.of("q")))
                .messageId("id")
                .type("t")
                .contentType("c")
                .contentEncoding("e")
                .priority(3)
                .correlationId("co")
                .replyTo("r")
                .appId("a")
                .userId("guest")
                .expiration("5")
                .build();
        Outgoing parked = parked(incoming("key", found), "why");
        assertThat(parked.routingKey()).isEqualTo("key");
        assertThat(parked.properties().getMessageId()).isEqualTo("id");
        assertThat(parked.properties().getType()).isEqualTo("t");
        assertThat(parked.properties().getPriority()).isEqualTo(3);
        assertThat(parked.properties().getReplyTo()).isEqualTo("r");
        assertThat(parked.properties().getExpiration()).isNull();
        assertThat(parked.properties().getHeaders())
                .isEqualTo(Map.of(
                        "mine",
                        1,
                        ParkedMessage.REASON,
                        "refused",
                        ParkedMessage.DETAIL,
                        "why",
                        ParkedMessage.AT,
                        NOW,
                        ParkedMessage.ROUTING_KEY,
                        "key"));
    }

    @Test
    void textThatIsNoUtf8IsParkedAsFarAsItFits() {
        AMQP.BasicProperties found = with(Map.of(NO_UTF8, 1, "mine", 2))
                .messageId(NO_UTF8)
                .type(NO_UTF8)
                .contentType(NO_UTF8)
                .contentEncoding(NO_UTF8)
                .correlationId(NO_UTF8)
                .replyTo(NO_UTF8)
                .appId(NO_UTF8)
                .build();
        Message<byte[]> odd = incoming(NO_UTF8, found);
        assertThat(Wire.read(odd, NOW)).isInstanceOf(Decoded.Odd.class);
        Outgoing parked = parked(odd, "why");
        assertThat(parked.routingKey()).startsWith("\uFFFD").endsWith("…");
        assertThat(parked.properties().getHeaders()).containsEntry("mine", 2).doesNotContainKey(NO_UTF8);
    }

    @Test
    void eachTextThatCannotBeSentOnMakesAMessageOdd() {
        List<AMQP.BasicProperties> odd = List.of(
                with(Map.of()).type(NO_UTF8).build(),
                with(Map.of()).contentType(NO_UTF8).build(),
                with(Map.of()).contentEncoding(NO_UTF8).build(),
                with(Map.of()).correlationId(NO_UTF8).build(),
                with(Map.of()).replyTo(NO_UTF8).build(),
                with(Map.of()).appId(NO_UTF8).build(),
                with(Map.of(NO_UTF8, 1)).build(),
                with(Map.of(Wire.EXCHANGE, NO_UTF8)).build(),
                with(Map.of(ParkedMessage.REASON, "failed", ParkedMessage.ROUTING_KEY, NO_UTF8))
                        .build());
        for (AMQP.BasicProperties properties : odd) {
            assertThat(Wire.read(incoming("key", properties), NOW))
                    .isInstanceOfSatisfying(
                            Decoded.Odd.class, it -> assertThat(it.detail()).contains("765 bytes", "the limit is 255"));
        }
        assertThat(Wire.read(incoming(NO_UTF8, with(Map.of()).type("t").build()), NOW))
                .isInstanceOfSatisfying(
                        Decoded.Odd.class, it -> assertThat(it.detail()).contains("routing key"));
    }

    @Test
    void anOddMessageKeepsWhereItWasToGo() {
        for (Object exchange : List.of("shop", LongStringHelper.asLongString("shop"))) {
            assertThat(parked(
                                    incoming(
                                            "key",
                                            with(Map.of(Wire.EXCHANGE, exchange))
                                                    .build()),
                                    "why")
                            .properties()
                            .getHeaders())
                    .containsEntry(Wire.EXCHANGE, "shop");
        }
        for (Object noName : List.of(NO_UTF8, 5, List.of("shop"))) {
            assertThat(parked(
                                    incoming(
                                            "key",
                                            with(Map.of(Wire.EXCHANGE, noName)).build()),
                                    "why")
                            .properties()
                            .getHeaders())
                    .doesNotContainKey(Wire.EXCHANGE);
        }
    }

    @Test
    void aMessageWithoutAnythingGetsAnId() {
        Outgoing parked = parked(incoming("", new AMQP.BasicProperties.Builder().build()), "why");
        assertThat(parked.properties().getMessageId()).hasSize(36);
        assertThat(parked.routingKey()).isEmpty();
    }

    @Test
    void theDetailIsCutAndIsOneLine() {
        Outgoing parked = parked(incoming("key", with(Map.of()).build()), "a\nb" + "中".repeat(300_000));
        assertThat(parked.properties().getHeaders().get(ParkedMessage.DETAIL))
                .asString()
                .startsWith("a b")
                .hasSize(2_001);
    }

    @Test
    void aTaskThatComesBackIsAsGoodAsNew() {
        Failure failure = new Failure("no paper", NOW - 5);
        Task task = Task.first(new TaskId("id"), "t", NOW - 9_000, NOW - 1_000, Payload.of(BODY, "c"))
                .to(Destination.of("shop", "key"))
                .tried(new Attempts(5, 2, Attempts.NONE.first(), Attempts.NONE.last()).failed(failure));
        Message<byte[]> parked = ParkedMessage.of(task, ParkReason.FAILED, "why", NOW);
        Outgoing outgoing = sent(parked);
        assertThat(outgoing.properties().getHeaders()).containsEntry(Wire.LAST_FAILURE, "no paper");
        Message<byte[]> movedByHand = Message.of(
                parked.getPayload(),
                Metadata.of(new Incoming("", "deferred.due", outgoing.properties(), false, () -> true)));
        assertThat(Wire.read(movedByHand, NOW + 60_000)).isEqualTo(new Decoded.Sound(task.renewed(NOW + 60_000)));
    }

    @Test
    void forgedMarksOfParkingAreNoFault() {
        Map<String, Object> forged = new HashMap<>();
        forged.put(ParkedMessage.REASON, null);
        forged.put(ParkedMessage.DETAIL, 7);
        forged.put(ParkedMessage.AT, "yesterday");
        assertThat(Wire.read(incoming("key", with(forged).messageId("id").build()), NOW))
                .isInstanceOfSatisfying(
                        Decoded.Sound.class,
                        sound -> assertThat(sound.task().destination()).isEqualTo(Destination.tasks("key")));
    }
}
