package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageLimitsTest {
    private static final byte[] EMPTY = {};
    private final MessageLimits limits = new MessageLimits(100);

    @Test
    void namesAreCountedInBytes() {
        assertThat(fault("e", "k".repeat(255))).isEmpty();
        assertThat(fault("e", "k".repeat(256)))
                .hasValueSatisfying(text -> assertThat(text).contains("routing key", "256", "255"));
        assertThat(fault("e", "é".repeat(127))).isEmpty();
        assertThat(fault("e", "é".repeat(128)))
                .hasValueSatisfying(text -> assertThat(text).contains("routing key", "256"));
        assertThat(fault("é".repeat(200), "k"))
                .hasValueSatisfying(text -> assertThat(text).contains("exchange", "400"));
    }

    @Test
    void everyShortPropertyHasTheLimit() {
        String longText = "x".repeat(256);
        List.of(
                        builder().messageId(longText),
                        builder().type(longText),
                        builder().contentType(longText),
                        builder().contentEncoding(longText),
                        builder().correlationId(longText),
                        builder().replyTo(longText),
                        builder().appId(longText))
                .forEach(properties -> assertThat(limits.fault("e", "k", properties.build(), EMPTY))
                        .isPresent());
    }

    @Test
    void aMessageNeedsAnId() {
        assertThat(limits.fault("e", "k", new AMQP.BasicProperties(), EMPTY))
                .hasValueSatisfying(text -> assertThat(text).contains("message-id"));
    }

    @Test
    void propertiesThatSteerTheBrokerAreRefused() {
        assertThat(limits.fault("e", "k", builder().expiration("-1").build(), EMPTY))
                .isPresent();
        assertThat(limits.fault("e", "k", builder().userId("guest").build(), EMPTY))
                .isPresent();
    }

    @Test
    void headerValuesMustBeWhatAmqpCanCarry() {
        assertThat(headers(Map.of("when", Instant.EPOCH))).isPresent();
        assertThat(headers(Map.of("list", List.of(1L, "two", Map.of("three", Instant.EPOCH)))))
                .isPresent();
        assertThat(headers(Map.of("n", 1L, "s", "text", "b", true, "list", List.of(1L, "two"))))
                .isEmpty();
    }

    @Test
    void headersHaveALimitAllTogether() {
        assertThat(headers(Map.of("big", "x".repeat(65_000)))).isEmpty();
        assertThat(headers(Map.of("big", "x".repeat(66_000))))
                .hasValueSatisfying(text -> assertThat(text).contains("65536"));
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            many.put("header-" + i, (long) i);
        }
        assertThat(headers(many)).isPresent();
    }

    @Test
    void headersHaveALimitOfTheirNamesHoweverDeepTheyAre() {
        String tooLong = "n".repeat(256);
        assertThat(headers(Map.of("n".repeat(255), 1L))).isEmpty();
        assertThat(headers(Map.of(tooLong, 1L)))
                .hasValueSatisfying(text -> assertThat(text).contains("name of header", "256", "255"));
        assertThat(headers(Map.of("table", Map.of(tooLong, 1L)))).isPresent();
        assertThat(headers(Map.of("list", List.of(1L, List.of(Map.of("deep", Map.of(tooLong, "x")))))))
                .isPresent();
    }

    @Test
    void theBodyHasALimit() {
        AMQP.BasicProperties sound = builder().build();
        assertThat(limits.fault("e", "k", sound, new byte[100])).isEmpty();
        assertThat(limits.fault("e", "k", sound, new byte[101]))
                .hasValueSatisfying(text -> assertThat(text).contains("101", "100"));
    }

    private java.util.Optional<String> fault(String exchange, String routingKey) {
        return limits.fault(exchange, routingKey, builder().build(), EMPTY);
    }

    private java.util.Optional<String> headers(Map<String, Object> headers) {
        return limits.fault("e", "k", builder().headers(headers).build(), EMPTY);
    }

    private static AMQP.BasicProperties.Builder builder() {
        return new AMQP.BasicProperties.Builder().messageId("id");
    }
}
