package dev.deferred.amqp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShallowHeadersTest {
    private static byte[] encoded(Map<String, Object> headers) throws IOException {
        return new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .contentEncoding("gzip")
                .headers(headers)
                .messageId("id")
                .build()
                .toFrame(1, 4)
                .getPayload();
    }

    private static byte[] shallow(byte[] payload) {
        byte[] copy = payload.clone();
        ShallowHeaders.in(new Frame(AMQP.FRAME_HEADER, 1, copy));
        return copy;
    }

    private static AMQP.BasicProperties read(byte[] payload) throws IOException {
        return (AMQP.BasicProperties)
                AMQImpl.readContentHeaderFrom(new DataInputStream(new ByteArrayInputStream(payload)));
    }

    /** The encoding of tables, or lists, in one another around no bytes; the client would need a deep stack to write it. */
    private static byte[] nested(int levels, char type) throws IOException {
        int each = type == 'F' ? 7 : 5; // type and length; in a table the name too
        byte[] payload = encoded(Map.of("n", new byte[each * levels]));
        ByteBuffer inside = ByteBuffer.wrap(payload);
        inside.position(new String(payload, ISO_8859_1).indexOf("\u0001nx") + 2);
        for (int left = levels; left > 0; left--) {
            inside.put((byte) type).putInt(each * left);
            if (type == 'F') {
                inside.put((byte) 1).put((byte) 'a');
            }
        }
        inside.put((byte) 'x').putInt(0);
        return payload;
    }

    @Test
    void ordinaryHeadersOfEveryTypeAreLeftAsTheyAre() throws IOException {
        Map<String, Object> headers = new HashMap<>();
        headers.put("text", "é");
        headers.put("numbers", List.of(1, 1L, (short) 1, (byte) 1, 1.5, 1.5f, new BigDecimal("1.5")));
        headers.put("others", List.of(true, new byte[] {1, 2}, Date.from(Instant.EPOCH)));
        headers.put("nothing", null);
        headers.put("table", Map.of("a", Map.of("b", List.of(Map.of()))));
        byte[] payload = encoded(headers);
        assertThat(shallow(payload)).isEqualTo(payload);
        byte[] none = new AMQP.BasicProperties.Builder()
                .messageId("id")
                .build()
                .toFrame(1, 4)
                .getPayload();
        assertThat(shallow(none)).isEqualTo(none);
    }

    private static int depth(Object value) {
        int depth = 0;
        Object inner = value;
        while (inner instanceof Map<?, ?> || inner instanceof List<?>) {
            depth++;
            inner = inner instanceof Map<?, ?> table ? table.values().iterator().next() : ((List<?>) inner).get(0);
        }
        assertThat(inner).isInstanceOf(byte[].class);
        return depth;
    }

    @Test
    void whatIsNestedTooDeepIsReadAsBytesInNoTime() throws IOException {
        for (char type : new char[] {'F', 'A'}) {
            byte[] deep = nested(18_000, type);
            AMQP.BasicProperties properties =
                    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> read(shallow(deep)));
            assertThat(depth(properties.getHeaders().get("n"))).isEqualTo(ShallowHeaders.MOST_LEVELS);
            assertThat(properties.getMessageId()).isEqualTo("id");
            assertThat(ApplicationHeaders.fault(properties.getHeaders()))
                    .hasValueSatisfying(fault -> assertThat(fault).contains("deeper than"));
        }
    }

    @Test
    void theDeepestThatIsReadIsLeftAsItIs() throws IOException {
        byte[] payload = encoded(Map.of("n", tables(ShallowHeaders.MOST_LEVELS)));
        assertThat(shallow(payload)).isEqualTo(payload);
        byte[] deeper = encoded(Map.of("n", tables(ShallowHeaders.MOST_LEVELS + 1)));
        assertThat(shallow(deeper)).isNotEqualTo(deeper);
    }

    private static Object tables(int levels) {
        Object value = 1;
        for (int i = 0; i < levels; i++) {
            value = Map.of("a", value);
        }
        return value;
    }

    @Test
    void whatIsMalformedIsLeftToTheClient() throws IOException {
        byte[] payload = encoded(Map.of("n", Map.of("a", "text")));
        for (int i = 12; i < payload.length; i++) {
            byte[] broken = payload.clone();
            broken[i] = (byte) 0xFF;
            assertThat(shallow(broken)).isEqualTo(broken);
            byte[] cut = Arrays.copyOf(payload, i);
            assertThat(shallow(cut)).isEqualTo(cut);
        }
    }
}
