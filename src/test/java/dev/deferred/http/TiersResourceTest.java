package dev.deferred.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.core.Delays;
import dev.deferred.testing.Broker;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(Broker.class)
class TiersResourceTest {
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private static List<Map<String, Object>> tiers() {
        await().atMost(AT_MOST).until(() -> given().get("/tiers").statusCode() == 200);
        return given().get("/tiers").then().extract().path("tiers");
    }

    private static int waitingIn(String tier) {
        return tiers().stream()
                .filter(it -> it.get("tier").equals(tier))
                .mapToInt(it -> (int) it.get("waiting"))
                .sum();
    }

    @Test
    void tiersStandFromTheSmallestToTheLargestWithTheirTimes() {
        List<Map<String, Object>> tiers = tiers();
        assertThat(tiers).hasSize(18).isSortedAccordingTo((a, b) -> Long.compare(ttl(a), ttl(b)));
        assertThat(tiers).allSatisfy(it -> assertThat(ttl(it))
                .isEqualTo(Delays.parse((String) it.get("tier")).toMillis()));
    }

    private static long ttl(Map<String, Object> tier) {
        return ((Number) tier.get("ttlMs")).longValue();
    }

    @Test
    void aTaskThatWaitsIsCounted() {
        int before = waitingIn("12h");
        await().atMost(AT_MOST)
                .until(() -> given().contentType("application/json")
                                .body("{\"type\":\"a\",\"delay\":\"13h\"}")
                                .post("/tasks")
                                .statusCode()
                        == 202);
        await().atMost(AT_MOST).until(() -> waitingIn("12h") == before + 1);
    }
}
