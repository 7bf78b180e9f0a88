package dev.deferred.http;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.deferred.testing.Broker;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code POST /tasks} on a real broker. */
@QuarkusTest
@WithTestResource(Broker.class)
class TasksResourceTest {
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final int MAX_PAYLOAD = 262_144;

    @Inject
    Recorder recorder;

    @BeforeEach
    void waitForTheBroker() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> given().get("/q/health/ready").statusCode() == 200);
    }

    private static ValidatableResponse post(String body) {
        return post(body.getBytes(UTF_8));
    }

    private static ValidatableResponse post(byte[] body) {
        return given().header("Content-Type", JSON).body(body).post("/tasks").then();
    }

    private static ValidatableResponse refused(ValidatableResponse answer, int status) {
        return answer.statusCode(status)
                .contentType(PROBLEM)
                .body("status", equalTo(status))
                .body("type", equalTo("about:blank"))
                .body("instance", nullValue());
    }

    private static String task(String rest) {
        return "{\"type\":\"" + Recorder.TYPE + "\"," + rest + "}";
    }

    private byte[] whatRan(String id) {
        await().atMost(Duration.ofSeconds(10)).until(() -> recorder.payloadOf(id) != null);
        return recorder.payloadOf(id);
    }

    @Test
    void anAcceptedTaskIsAnsweredWithItsTimesAndItsWay() {
        var answer = post(task("\"delay\":\"30m\""))
                .statusCode(202)
                .contentType(JSON)
                .body("type", equalTo(Recorder.TYPE))
                .body("via", equalTo("30m"))
                .body("late", nullValue())
                .extract();
        String due = answer.path("dueAt");
        String scheduled = answer.path("scheduledAt");
        assertThat(due).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(Duration.between(Instant.parse(scheduled), Instant.parse(due)))
                .isEqualTo(Duration.ofMinutes(30));
        assertThat(answer.header("Location")).isEqualTo("/tasks/" + answer.path("id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"\"",
                "{}",
                "[]",
                "1.50",
                "{ \"b\" : [1 ,2] }",
                "\"é😀\\u0000\\n\"",
                "\"\\ud800\"",
                "1e400"
            })
    void thePayloadRunsByteForByte(String payload) {
        String id = post(task("\"delay\":\"0s\",\"payload\": " + payload + " "))
                .statusCode(202)
                .extract()
                .path("id");
        assertThat(whatRan(id)).isEqualTo(payload.getBytes(UTF_8));
    }

    @Test
    void aTaskWithoutPayloadRunsWithNoBytes() {
        String id = post(task("\"delay\":\"0s\"")).statusCode(202).extract().path("id");
        assertThat(whatRan(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 86_400})
    void aPastInstantRunsAtOnceAndIsMarkedLate(long secondsAgo) {
        String id = post(task("\"at\":\"" + Instant.now().minusSeconds(secondsAgo) + "\""))
                .statusCode(202)
                .body("late", equalTo(true))
                .body("via", equalTo("gate"))
                .extract()
                .path("id");
        assertThat(whatRan(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, MAX_PAYLOAD - 3, MAX_PAYLOAD - 2})
    void aPayloadUpToTheLimitIsTaken(int length) {
        String text = "\"" + "x".repeat(length) + "\"";
        post(task("\"delay\":\"1h\",\"payload\":" + text)).statusCode(202);
    }

    @Test
    void aPayloadOneByteOverTheLimitIsTooLarge() {
        String text = "\"" + "x".repeat(MAX_PAYLOAD - 1) + "\"";
        refused(post(task("\"delay\":\"1h\",\"payload\":" + text)), 413)
                .body("field", equalTo("payload"))
                .body("detail", containsString(String.valueOf(MAX_PAYLOAD)));
    }

    @ParameterizedTest
    @ValueSource(ints = {300_000, 12_000_000})
    void aLargeBodyIsTooLargeAtOnce(int length) {
        refused(post(new byte[length]), 413).time(lessThan(1_000L));
    }

    @Test
    void theLongestDelayIsTakenAndOneMillisecondMoreIsNot() {
        post(task("\"delay\":\"366d\"")).statusCode(202);
        refused(post(task("\"delay\":\"366d1ms\"")), 400)
                .body("field", equalTo("delay"))
                .body("detail", containsString("366d"));
        refused(post(task("\"at\":\"" + Instant.now().plus(Duration.ofDays(367)) + "\"")), 400)
                .body("field", equalTo("at"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a.#",
                "*",
                "a..b",
                ".a",
                "a.",
                "x/../../api/overview",
                "x?y=1",
                "a b",
                "a\\n",
                "é",
                "a\\u0000"
            })
    void aTypeIsAWordNotAPatternOrAPath(String type) {
        refused(post("{\"type\":\"" + type + "\",\"delay\":\"1s\"}"), 400).body("field", equalTo("type"));
    }

    @Test
    void aTypeHasUpToAHundredCharacters() {
        post("{\"type\":\"" + "x".repeat(100) + "\",\"delay\":\"1h\"}").statusCode(202);
        for (String type : new String[] {"x".repeat(101), "é".repeat(200), "x".repeat(100_000)}) {
            refused(post("{\"type\":\"" + type + "\",\"delay\":\"1s\"}"), 400)
                    .body("detail", not(containsString("xxx")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5000", "1.5", "true", "null", "\"-1s\"", "\"\\ud800\"", "\"5000\""})
    void aWrongDelayIsRefusedAndTheNextTaskRuns(String delay) {
        refused(post(task("\"delay\":" + delay)), 400).body("field", equalTo("delay"));
        String id = post(task("\"delay\":\"0s\"")).statusCode(202).extract().path("id");
        assertThat(whatRan(id)).isEmpty();
    }

    @Test
    void theSameKeyGivesTheSameIdAndAnotherKeyAnother() {
        String first = withKey("order-42").statusCode(202).extract().path("id");
        assertThat(withKey("order-42").extract().<String>path("id")).isEqualTo(first);
        assertThat(withKey("order-43").extract().<String>path("id")).isNotEqualTo(first);
        withKey("k".repeat(255)).statusCode(202);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 256, 4_000})
    void aKeyHasOneTo255Characters(int length) {
        refused(withKey("k".repeat(length)), 400).body("detail", containsString("Idempotency-Key"));
    }

    private static ValidatableResponse withKey(String key) {
        return given().header("Content-Type", JSON)
                .header("Idempotency-Key", key)
                .body(task("\"delay\":\"1h\""))
                .post("/tasks")
                .then();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "text/json", "application/xml", "application/json; charset=utf-16", "x"})
    void onlyJsonIsTaken(String contentType) {
        refused(
                given().header("Content-Type", contentType)
                        .body("{}".getBytes(UTF_8))
                        .post("/tasks")
                        .then(),
                415);
    }

    @Test
    void aCompressedBodyIsNotTaken() {
        refused(
                given().header("Content-Type", JSON)
                        .header("Content-Encoding", "gzip")
                        .body("{}".getBytes(UTF_8))
                        .post("/tasks")
                        .then(),
                415);
    }

    @ParameterizedTest
    @CsvSource({"GET,/nothing,404", "POST,/,404", "DELETE,/tasks,405", "GET,/tasks,405", "PUT,/tiers,405"})
    void whatIsNotThereIsAProblemToo(String method, String path, int status) {
        refused(given().request(method, path).then(), status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "GET;/tasks;OPTIONS, POST",
                "DELETE;/tasks/;OPTIONS, POST",
                "POST;/tasks/01a22ebe;GET, HEAD, OPTIONS",
                "PUT;/tiers;GET, HEAD, OPTIONS",
                "TRACE;/tiers;GET, HEAD, OPTIONS",
                "GET;/orders/01a22ebe/pay;OPTIONS, POST"
            })
    void anUnknownMethodIsToldTheKnownOnes(String method, String path, String allowed) {
        refused(given().request(method, path).then(), 405).header("Allow", allowed);
    }

    @Test
    void anAnswerThatIsNotWantedIsNotMade() {
        int before = recorder.runs();
        refused(
                given().header("Content-Type", JSON)
                        .header("Accept", "text/html")
                        .body(task("\"delay\":\"0s\""))
                        .post("/tasks")
                        .then(),
                406);
        assertThat(recorder.runs()).isEqualTo(before);
    }

    @Test
    void aSingleTaskHasNoRecordAndTheAnswerSaysSo() {
        refused(given().get("/tasks/01a22ebe-c1c3-7f76-ba46-994fa6df8da5").then(), 404)
                .body("detail", containsString("no record"))
                .body("detail", containsString("GET /tiers"));
    }

    @Test
    void refusalsAreCountedByReason() {
        double before = refusedFor("invalid");
        post(task("\"delay\":5")).statusCode(400);
        assertThat(refusedFor("invalid")).isEqualTo(before + 1);
    }

    private static double refusedFor(String reason) {
        String line = "deferred_refused_total{reason=\"" + reason + "\"} ";
        return given().get("/q/metrics")
                .asString()
                .lines()
                .filter(it -> it.startsWith(line))
                .mapToDouble(it -> Double.parseDouble(it.substring(line.length())))
                .sum();
    }
}
