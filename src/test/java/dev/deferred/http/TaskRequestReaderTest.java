package dev.deferred.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.deferred.core.Destination;
import dev.deferred.http.TaskRequest.Due;
import dev.deferred.scheduling.InvalidTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskRequestReaderTest {
    @Test
    void aRequestIsTypeDueAndPayload() {
        TaskRequest request =
                read(" {\"payload\": {\"order\": 42} , \"delay\":\"30m\",\"type\":\"order-timeout\"}\r\n");
        assertThat(request.type()).isEqualTo("order-timeout");
        assertThat(request.due()).isEqualTo(new Due.After(Duration.ofMinutes(30)));
        assertThat(request.payload().contentType()).isEqualTo("application/json");
        assertThat(new String(request.payload().bytes(), UTF_8)).isEqualTo("{\"order\": 42}");
    }

    @ParameterizedTest
    @CsvSource({
        "{}, , a",
        "{\"routingKey\":\"x.y\"}, , x.y",
        "{\"routingKey\":\"\"}, , ''",
        "{\"exchange\":\"orders\"}, orders, a",
        "'{\"exchange\":\"\",\"routingKey\":\"queue\"}', '', queue"
    })
    void aDestinationIsAnExchangeAndARoutingKeyAndWhatIsMissingIsTheUsual(
            String destination, String exchange, String routingKey) {
        assertThat(read("{\"type\":\"a\",\"delay\":\"0s\",\"destination\":" + destination + "}")
                        .destination())
                .contains(new Destination(Optional.ofNullable(exchange), routingKey));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"orders\"",
                "[]",
                "{\"queue\":\"x\"}",
                "{\"exchange\":null}",
                "{\"exchange\":1}",
                "{\"routingKey\":{}}",
                "{\"exchange\":\"a\",\"exchange\":\"b\"}"
            })
    void anOddDestinationIsRefusedByName(String destination) {
        assertThatThrownBy(() -> read("{\"type\":\"a\",\"delay\":\"0s\",\"destination\":" + destination + "}"))
                .isInstanceOf(InvalidTask.class)
                .hasMessageContaining("destination");
    }

    @Test
    void aMissingPayloadIsNoBytes() {
        assertThat(read("{\"type\":\"a\",\"delay\":\"0s\"}").payload().bytes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0s,0", "0ms,0", "1ms,1", "5s,5000", "PT5S,5000", "PT0.0001S,1", "1h30m,5400000", "366d,31622400000"})
    void aDelayIsTextWithAUnit(String delay, long millis) {
        assertThat(read("{\"type\":\"a\",\"delay\":\"" + delay + "\"}").due())
                .isEqualTo(new Due.After(Duration.ofMillis(millis)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5000",
                "1.5",
                "1e3",
                "-1",
                "0",
                "true",
                "null",
                "{}",
                "[\"5s\"]",
                "\"5000\"",
                "\"1.5\"",
                "\"-1\"",
                "\"-5s\"",
                "\"PT-5S\"",
                "\"\"",
                "\" 5s\"",
                "\"5 s\"",
                "\"1.5s\"",
                "\"5S\"",
                "\"P1M\"",
                "\"soon\"",
                "\"5s\\u0000\"",
                "\"\\ud800\"",
                "\"9999999999999d\"",
                "\"3651d\""
            })
    void anythingElseIsNoDelay(String delay) {
        refusesField("delay", "{\"type\":\"a\",\"delay\":" + delay + "}");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-01T10:00:00Z,           2026-12-01T10:00:00Z",
        "2026-12-01T10:00Z,              2026-12-01T10:00:00Z",
        "2026-12-01T10:00:00.0001Z,      2026-12-01T10:00:00.000100Z",
        "2026-12-01T12:00:00+02:00,      2026-12-01T10:00:00Z",
        "2027-03-28T02:30:00+01:00,      2027-03-28T01:30:00Z",
        "2027-10-31T02:30:00+02:00,      2027-10-31T00:30:00Z",
        "2027-10-31T02:30:00+01:00,      2027-10-31T01:30:00Z"
    })
    void atIsAnInstantWithAnOffset(String at, Instant instant) {
        assertThat(read("{\"type\":\"a\",\"at\":\"" + at + "\"}").due()).isEqualTo(new Due.At(instant));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1796112000",
                "null",
                "true",
                "{}",
                "\"\"",
                "\"now\"",
                "\"2026-12-01\"",
                "\"1796112000\"",
                "\"2026-02-30T10:00:00Z\"",
                "\"2026-12-01T24:00:00Z\"",
                "\"2026-12-01T10:00:00[Europe/Berlin]\"",
                "\"2026-12-01T10:00:00+01:00[Europe/Berlin]\"",
                "\"2027-03-28T02:30 Europe/Berlin\"",
                "\"2026-12-01 10:00:00Z\""
            })
    void anythingElseIsNoInstant(String at) {
        refusesField("at", "{\"type\":\"a\",\"at\":" + at + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-12-01T10:00:00", "2027-03-28T02:30", "2027-10-31T02:30"})
    void aTimeWithoutAnOffsetIsToldToAddOne(String at) {
        assertThat(refusesField("at", "{\"type\":\"a\",\"at\":\"" + at + "\"}")).contains("add Z or an offset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1", "true", "{}", "[]"})
    void aTypeIsText(String type) {
        refusesField("type", "{\"type\":" + type + ",\"delay\":\"1s\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "type    | {\"delay\":\"1s\"}",
                "delay   | {\"type\":\"a\"}",
                "at      | {\"type\":\"a\",\"delay\":\"1s\",\"at\":\"2026-12-01T10:00:00Z\"}",
                "delay   | {\"type\":\"a\",\"at\":\"2026-12-01T10:00:00Z\",\"delay\":\"1s\"}",
                "type    | {\"type\":\"a\",\"type\":\"a\",\"delay\":\"1s\"}",
                "type    | {\"type\":\"a\",\"\\u0074ype\":\"a\",\"delay\":\"1s\"}",
                "delay   | {\"type\":\"a\",\"delay\":\"1s\",\"delay\":\"1s\"}",
                "payload | {\"type\":\"a\",\"delay\":\"1s\",\"payload\":null,\"payload\":null}",
                "Type    | {\"Type\":\"a\",\"delay\":\"1s\"}",
                "zone    | {\"type\":\"a\",\"zone\":\"Europe/Berlin\",\"at\":\"2027-03-28T02:30\"}",
                "''      | {\"\":1}"
            })
    void everyFieldIsKnownAndThereOnce(String field, String body) {
        refusesField(field, body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "null",
                "1",
                "\"a\"",
                "[]",
                "[{\"type\":\"a\",\"delay\":\"1s\"}]",
                "{",
                "}",
                "{\"type\":\"a\"",
                "{\"type\":\"a\",}",
                "{'type':'a'}",
                "{type:\"a\"}",
                "{\"type\":\"a\" \"delay\":\"1s\"}",
                "{\"type\":\"a\",\"delay\":\"1s\"}{}",
                "{\"type\":\"a\",\"delay\":\"1s\"} x",
                "{\"type\":\"a\",\"delay\":\"1s\"}]",
                "{\"type\":\"a\",\"delay\":\"1s\"} // no",
                "/**/{\"type\":\"a\",\"delay\":\"1s\"}",
                "{\"type\":\"a\n\",\"delay\":\"1s\"}",
                "\uFEFF{\"type\":\"a\",\"delay\":\"1s\"}",
                "{\"type\":\"a\",\"delay\":\"1s\"}\u0000",
                "{\"payload\":01}",
                "{\"payload\":1.}",
                "{\"payload\":.5}",
                "{\"payload\":+1}",
                "{\"payload\":-}",
                "{\"payload\":1e}",
                "{\"payload\":NaN}",
                "{\"payload\":Infinity}",
                "{\"payload\":tru}",
                "{\"payload\":True}",
                "{\"payload\":\"\\x\"}",
                "{\"payload\":\"\\u12g4\"}",
                "{\"payload\":\"tab\there\"}",
                "{\"payload\":[1,]}",
                "{\"payload\":[1 2]}",
                "{\"payload\":{\"a\"}}",
                "{\"payload\":[}",
                "{\"payload\":}",
                "{\"payload\":\"open"
            })
    void whatIsNotOneJsonObjectIsRefused(String body) {
        refusesBody(body.getBytes(UTF_8));
    }

    @Test
    void whatIsNotUtf8IsRefused() {
        String sound = "{\"type\":\"a\",\"delay\":\"1s\",\"payload\":\"é\"}";
        refusesBody(new byte[0]);
        refusesBody(sound.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        refusesBody(sound.getBytes(java.nio.charset.StandardCharsets.UTF_16));
        refusesBody(sound.getBytes(java.nio.charset.StandardCharsets.UTF_16LE));
        refusesBody(sound.getBytes(java.nio.charset.Charset.forName("UTF-32")));
    }

    @Test
    void whatCallersSentIsShownCutAndClean() {
        assertThat(refusesField("at", "{\"type\":\"a\",\"at\":\"\\ud83d" + "x\\n".repeat(5_000) + "\"}"))
                .hasSizeLessThan(300)
                .doesNotContain("\n", "\ud83d");
        assertThat(catchThrowableOfType(InvalidTask.class, () -> read("{\"" + "x".repeat(10_000) + "\":1}"))
                        .field())
                .hasSizeLessThan(100);
    }

    private static TaskRequest read(String body) {
        return TaskRequestReader.read(body.getBytes(UTF_8));
    }

    private static String refusesField(String field, String body) {
        InvalidTask refused = catchThrowableOfType(InvalidTask.class, () -> read(body));
        assertThat(refused).as(body).isNotNull();
        assertThat(refused.field()).as(refused.getMessage()).isEqualTo(field);
        return refused.getMessage();
    }

    private static void refusesBody(byte[] body) {
        assertThatThrownBy(() -> TaskRequestReader.read(body))
                .as(new String(body, UTF_8))
                .isInstanceOf(RequestRefused.class)
                .extracting(refused -> ((RequestRefused) refused).fault())
                .isEqualTo(RequestRefused.Fault.MALFORMED);
    }
}
