package dev.deferred.scheduling;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.core.Payload;
import dev.deferred.testing.Broker;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A tier that does not let its tasks out at their time shows in the metrics within a minute. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(OverdueTierTest.StuckTier.class)
class OverdueTierTest {
    /** The broker holds the tier of one second for ten minutes, as if it had stopped to expire. */
    public static final class StuckTier implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("mp.messaging.outgoing.delay-1s.queue.ttl", "600000");
        }
    }

    private static final Pattern OVERDUE = Pattern.compile("deferred_overdue_seconds\\{tier=\"(\\w+)\",?} ([0-9.E]+)");

    @Inject
    NewTasks newTasks;

    @Inject
    Scheduler scheduler;

    @Test
    void theOverdueGaugeRisesForThatTierAndNoOther() {
        await().atMost(Duration.ofSeconds(20)).until(() -> scheduler
                .schedule(newTasks.after(newTasks.newId(), "stuck", Duration.ofSeconds(1), Payload.json("1")))
                .map(scheduled -> true)
                .onFailure()
                .recoverWithItem(false)
                .await()
                .atMost(Duration.ofSeconds(10)));
        await().atMost(Duration.ofSeconds(60)).until(() -> overdue("1s") > 5);
        assertThat(overdue("2s")).isZero();
    }

    private static double overdue(String tier) {
        var gauges = OVERDUE.matcher(given().get("/q/metrics").asString());
        while (gauges.find()) {
            if (gauges.group(1).equals(tier)) {
                return Double.parseDouble(gauges.group(2));
            }
        }
        throw new AssertionError("no gauge deferred_overdue_seconds of the tier " + tier);
    }
}
