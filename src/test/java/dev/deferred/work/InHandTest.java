package dev.deferred.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.deferred.amqp.Decoded;
import dev.deferred.amqp.Incoming;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Task;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is delivered again after a channel went is recognised, whatever its message says of time. */
class InHandTest {
    private final InHand inHand = new InHand(10);
    private final AtomicBoolean channelIsThere = new AtomicBoolean(true);
    private long now = 1_000;

    static List<Map<String, Object>> headers() {
        return List.of(
                Map.of(Wire.DUE_AT, 5L),
                Map.of(),
                Map.of(ParkedMessage.REASON, "failed", Wire.DUE_AT, 5L),
                Map.of(Wire.SCHEDULED_AT, 5L));
    }

    private InHand.Arrival arrive(Map<String, Object> headers, boolean redelivered, AtomicBoolean channel) {
        Message<byte[]> message = Message.of(
                new byte[0],
                Metadata.of(new Incoming(
                        "",
                        "any",
                        new AMQP.BasicProperties.Builder()
                                .messageId("one")
                                .headers(headers)
                                .build(),
                        redelivered,
                        channel::get)));
        now += 7; // each time it comes is a later time
        Task task = ((Decoded.Sound) Wire.read(message, now)).task();
        return inHand.arrived(message, task, null);
    }

    @ParameterizedTest
    @MethodSource("headers")
    void whatComesAgainWhileItRunsGoesOnWithItsNewMessage(Map<String, Object> headers) {
        InHand.Arrival first = arrive(headers, false, channelIsThere);
        assertThat(first.how()).isEqualTo(InHand.How.NEW);
        assertThat(first.piece().begin()).isTrue();
        channelIsThere.set(false);
        InHand.Arrival again = arrive(headers, true, new AtomicBoolean(true));
        assertThat(again.how()).isEqualTo(InHand.How.JOINED);
        assertThat(again.piece()).isSameAs(first.piece());
    }

    @Test
    void twoMessagesOfOneIdThatAreInHandTogetherAreTwo() {
        Map<String, Object> headers = Map.of();
        arrive(headers, false, channelIsThere);
        assertThat(arrive(headers, true, channelIsThere).how()).isEqualTo(InHand.How.NEW);
        assertThat(arrive(headers, false, channelIsThere).how()).isEqualTo(InHand.How.NEW);
    }

    @Test
    void whatIsSettledIsForgotten() {
        InHand.Arrival first = arrive(Map.of(), false, channelIsThere);
        inHand.leave(first.piece());
        assertThat(inHand.all()).isEmpty();
    }
}
