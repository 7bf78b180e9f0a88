package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.LongStringHelper;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeadersTest {
    private static Headers with(Object value) {
        Map<String, Object> all = new HashMap<>();
        all.put("h", value);
        return Headers.of(new AMQP.BasicProperties.Builder().headers(all).build());
    }

    static List<Object> numbers() {
        return List.of(
                42, 42L, (short) 42, (byte) 42, "42", " 42 ", "+42", "0042", LongStringHelper.asLongString("42"));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aNumberIsOfAnyIntegerTypeOrItsDigits(Object value) {
        assertThat(with(value).number("h", 0, 100)).contains(42L);
        assertThat(with(value).number("h", 42, 42)).contains(42L);
    }

    static List<Object> otherThanNumbers() {
        return List.of(
                "",
                " ",
                "4 2",
                "1.5",
                "1e3",
                "0x10",
                "1_000",
                "soon",
                "9223372036854775808",
                1.5,
                1.0,
                1.5f,
                true,
                List.of(1),
                Map.of("a", 1),
                new byte[] {1},
                new BigDecimal("5"),
                Date.from(Instant.EPOCH));
    }

    @ParameterizedTest
    @MethodSource("otherThanNumbers")
    void whatIsNoWholeNumberIsRefusedByName(Object value) {
        assertThatThrownBy(() -> with(value).number("h", 0, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("header h ")
                .hasMessageContaining("expected milliseconds");
    }

    @Test
    void aNumberWithoutAValueIsRefused() {
        assertThatThrownBy(() -> with(null).number("h", 0, 1)).hasMessageContaining("no value");
    }

    static List<Object> outside() {
        return List.of(-1, 101L, "-1", Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @MethodSource("outside")
    void aNumberOutsideItsRangeIsRefusedWithTheRange(Object value) {
        assertThatThrownBy(() -> with(value).number("h", 0, 100))
                .hasMessageContaining("header h is " + value)
                .hasMessageContaining("from 0 to 100");
    }

    @Test
    void whatIsNotThereIsEmpty() {
        Headers none = Headers.of(new AMQP.BasicProperties.Builder().build());
        assertThat(none.has("h")).isFalse();
        assertThat(none.number("h", 0, 1)).isEmpty();
        assertThat(none.text("h")).isEmpty();
        assertThat(with(null).has("h")).isTrue();
        assertThat(with(null).text("h")).isEmpty();
    }

    @Test
    void aTextIsTextOnly() {
        assertThat(with("é").text("h")).contains("é");
        assertThat(with(LongStringHelper.asLongString("é")).text("h")).contains("é");
        for (Object other : new Object[] {1, true, List.of("a"), new byte[] {65}}) {
            assertThatThrownBy(() -> with(other).text("h"))
                    .hasMessageContaining("header h is not text")
                    .hasMessageNotContaining("[B@");
        }
    }
}
