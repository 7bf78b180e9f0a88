package dev.deferred.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A payload is the very bytes of the request. */
class PayloadBytesTest {
    private static final String[] SPACES = {"", " ", "\n", "\t \r\n"};

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "false",
                "0",
                "-0",
                "1.0",
                "1.50",
                "1E+2",
                "-1e-7",
                "100000000000000000000000000000.000000000000000000000000001",
                "\"\"",
                "\"a\"",
                "\"\\u0000\\\"\\\\\\/\\ud83d\\ude00 \\ud800\"",
                "\"é€😀\"",
                "{}",
                "[]",
                "{ \"b\" : 1 ,\"a\":[ ] , \"a\" : 2 }",
                "[1 ,\t2,\r\n3]",
                "\"}, \\\"payload\\\": {\""
            })
    void anyValueIsTakenByteForByte(String payload) {
        for (String before : SPACES) {
            for (String after : SPACES) {
                takes(payload, "{\"type\":\"é\",\"payload\":" + before + payload + after + ",\"delay\":\"1s\"}");
                takes(
                        payload,
                        "{\"type\":\"é\",\"delay\":\"1s\",\"payload\":" + before + payload + after + "}" + after);
            }
        }
    }

    @Test
    void longValuesAreTakenWhole() {
        for (int length : new int[] {1, 3_999, 4_000, 4_001, 8_000, 262_142}) {
            takesAnywhere("\"" + "x".repeat(length) + "\"");
            takesAnywhere("\"" + "é".repeat(length / 2) + "\"");
            takesAnywhere("1" + "0".repeat(length));
            takesAnywhere("{\"" + "k".repeat(length) + "\":0." + "1".repeat(length) + "}");
        }
    }

    @Test
    void nestingIsTakenThousandDeepAndNoDeeper() {
        takesAnywhere("[".repeat(1_000) + "]".repeat(1_000));
        takesAnywhere("{\"a\":".repeat(1_000) + "1" + "}".repeat(1_000));
        assertThatThrownBy(() -> takesAnywhere("[".repeat(1_001) + "]".repeat(1_001)))
                .isInstanceOf(RequestRefused.class)
                .hasMessageContaining("1000");
    }

    @Test
    void manyKeysAreTaken() {
        StringBuilder many = new StringBuilder("{");
        for (int i = 0; i < 20_000; i++) {
            many.append('"').append(i).append("\":").append(i).append(',');
        }
        takesAnywhere(many.append("\"end\":null}").toString());
    }

    @Test
    void anyPayloadAtAllIsTakenByteForByte() {
        Random random = new Random(2);
        for (int round = 0; round < 20_000; round++) {
            takesAnywhere(value(random, 4));
        }
    }

    private static String value(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 6 : 8);
        return switch (kind) {
            case 0 -> "null";
            case 1 -> String.valueOf(random.nextBoolean());
            case 2 -> String.valueOf(random.nextLong());
            case 3 ->
                String.valueOf(random.nextDouble() * 1e10).replace("E", "e+").replace("e+-", "e-");
            case 4 -> "\"" + "é\\n€\\\"😀\\u00e9".repeat(random.nextInt(4)) + "\"";
            case 5 -> "\"" + random.nextInt() + "\"";
            case 6 ->
                "[" + space(random) + value(random, depth - 1) + space(random) + "," + value(random, depth - 1) + "]";
            default ->
                "{" + space(random) + "\"type\"" + space(random) + ":" + space(random) + value(random, depth - 1)
                        + space(random) + "}";
        };
    }

    private static String space(Random random) {
        return SPACES[random.nextInt(SPACES.length)];
    }

    private static void takesAnywhere(String payload) {
        takes(payload, "{\"payload\": " + payload + " ,\"type\":\"a\",\"delay\":\"1s\"}");
        takes(payload, "{\"type\":\"a\",\"delay\":\"1s\",\"payload\":" + payload + "}");
    }

    private static void takes(String payload, String body) {
        byte[] taken = TaskRequestReader.read(body.getBytes(UTF_8)).payload().bytes();
        assertThat(taken).isEqualTo(payload.getBytes(UTF_8));
    }
}
