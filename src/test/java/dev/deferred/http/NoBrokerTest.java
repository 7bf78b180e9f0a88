package dev.deferred.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The service while no broker is there: every request is answered, in time, with what to do. */
@QuarkusTest
@TestProfile(NoBrokerTest.NoBroker.class)
class NoBrokerTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    @TestHTTPResource("/")
    URI service;

    public static final class NoBroker implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("rabbitmq-host", "127.0.0.1", "rabbitmq-port", "1");
        }
    }

    @Test
    void fiftyTasksAtOnceAreAllRefusedInTime() {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(service.resolve("/tasks"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"a\",\"delay\":\"1s\"}"))
                .timeout(LIMIT)
                .build();
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 50)
                .mapToObj(i -> client.sendAsync(request, BodyHandlers.ofString()))
                .toList();
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(503));
    }

    @Test
    void aRefusalSaysWhyAndWhenToTryAgain() {
        given().contentType("application/json")
                .body("{\"type\":\"a\",\"delay\":\"1s\"}")
                .post("/tasks")
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .header("Retry-After", "5")
                .body("id", notNullValue())
                .body("reason", equalTo("broker-away"))
                .body("detail", notNullValue());
    }

    @Test
    void aWrongTaskIsStillToldSo() {
        given().contentType("application/json")
                .body("{\"type\":\"a\",\"delay\":1}")
                .post("/tasks")
                .then()
                .statusCode(400)
                .body("field", equalTo("delay"));
    }

    @Test
    void tiersCantBeCounted() {
        given().get("/tiers")
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .header("Retry-After", "5")
                .body("reason", equalTo("broker-away"));
    }

    @Test
    void whatIsParkedCantBeListedReplayedOrDiscarded() {
        for (Response answer : List.of(
                given().get("/parked"),
                given().post("/parked/any/replay"),
                given().post("/parked/replay?type=any"),
                given().delete("/parked/any"))) {
            answer.then()
                    .statusCode(503)
                    .contentType("application/problem+json")
                    .header("Retry-After", "5")
                    .body("reason", equalTo("broker-away"))
                    .time(lessThan(LIMIT.toMillis()));
        }
    }

    @Test
    void anOrderThatCantBeWatchedIsNotPlaced() {
        given().contentType("application/json")
                .body("{\"item\":\"book\",\"amount\":12.50}")
                .post("/orders")
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .body("reason", equalTo("broker-away"));
    }
}
