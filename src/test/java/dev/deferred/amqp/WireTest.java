package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.deferred.core.Destination;
import dev.deferred.core.Task;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.junit.jupiter.api.Test;

class WireTest {
    private static final long NOW = 1_800_000_000_000L;

    private static Message<byte[]> received(Map<String, Object> headers) {
        AMQP.BasicProperties properties =
                new AMQP.BasicProperties.Builder().headers(headers).build();
        return Message.of(
                new byte[] {1}, Metadata.of(new Incoming("deferred.in", "the.key", properties, false, () -> true)));
    }

    private static Task sound(Map<String, Object> headers) {
        return ((Decoded.Sound) Wire.read(received(headers), NOW, Set.of("new-delay"))).task();
    }

    @Test
    void aMessageWithoutAnythingIsATaskThatIsDueNow() {
        Task task = sound(null);
        assertThat(task.id().value()).hasSize(36);
        assertThat(task.type()).isEqualTo("the.key");
        assertThat(task.destination()).isEqualTo(Destination.tasks("the.key"));
        assertThat(task.dueAtMillis()).isEqualTo(NOW);
        assertThat(task.scheduledAtMillis()).isEqualTo(NOW);
        assertThat(task.attempt()).isEqualTo(1);
        assertThat(task.payload().contentType()).isEmpty();
    }

    @Test
    void anEmptyExchangeIsTheDefaultOneAndNoValueIsNone() {
        assertThat(sound(Map.of(Wire.EXCHANGE, "")).destination()).isEqualTo(Destination.of("", "the.key"));
        assertThat(sound(Collections.singletonMap(Wire.EXCHANGE, null)).destination())
                .isEqualTo(Destination.tasks("the.key"));
    }

    @Test
    void aTaskIsReadAsItWasWritten() {
        Task written = sound(Map.of(
                "mine",
                1,
                "new-delay",
                5,
                Wire.ATTEMPT,
                4,
                Wire.CRASHES,
                2,
                Wire.FIRST_FAILURE,
                "a",
                Wire.EXCHANGE,
                "e"));
        assertThat(written.attached().headers()).containsOnlyKeys("mine");
        Outgoing out = Wire.write(written).getMetadata(Outgoing.class).orElseThrow();
        Message<byte[]> again = Message.of(
                written.payload().bytes(),
                Metadata.of(new Incoming("deferred.in", out.routingKey(), out.properties(), false, () -> true)));
        assertThat(Wire.read(again, NOW + 99)).isEqualTo(new Decoded.Sound(written));
    }

    @Test
    void whatIsOutOfItsRangeMakesTheMessageOdd() {
        for (Map<String, Object> headers : List.<Map<String, Object>>of(
                Map.of(Wire.DUE_AT, -1),
                Map.of(Wire.DUE_AT, Long.MAX_VALUE),
                Map.of(Wire.SCHEDULED_AT, -1),
                Map.of(Wire.ATTEMPT, 0),
                Map.of(Wire.ATTEMPT, 1L << 31),
                Map.of(Wire.CRASHES, -1),
                Map.of(Wire.EXCHANGE, 7),
                Map.of(Wire.LAST_FAILURE, List.of()))) {
            assertThat(Wire.read(received(headers), NOW)).as(headers.toString()).isInstanceOf(Decoded.Odd.class);
        }
    }
}
