package dev.deferred.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import dev.deferred.scheduling.SchedulingConfig;
import dev.deferred.testing.Broker;
import dev.deferred.testing.PlainClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

/** A tier whose queue may hold no more: the broker says no, and the caller hears it. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(FullTierTest.ShortTier.class)
class FullTierTest {
    /** Five tasks fill the tier of half an hour. */
    public static final class ShortTier implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("mp.messaging.outgoing.delay-30m.queue.x-max-length", "5");
        }
    }

    private static final Duration QUICKLY = Duration.ofSeconds(3);

    @Inject
    SchedulingConfig config;

    @Inject
    Config mpConfig;

    @Test
    void aFullTierRefusesQuicklyAndTakesTasksAgainWhenThereIsRoom() throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> ready() == 200);
        List<Response> refused = new ArrayList<>();
        long accepted = 0;
        // a quorum queue learns of its length a little late, so it may take a few more than its limit
        for (int i = 0; i < 25; i++) {
            Response answer = post("30m");
            assertThat(answer.timeIn(TimeUnit.MILLISECONDS)).isLessThan(QUICKLY.toMillis());
            if (answer.statusCode() == 202) {
                accepted++;
            } else {
                refused.add(answer);
            }
        }
        assertThat(refused).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.contentType()).startsWith("application/problem+json");
            assertThat(answer.header("Retry-After")).isNotBlank();
            assertThat(answer.path("reason").toString()).isEqualTo("refused");
            assertThat(answer.path("id").toString()).isNotBlank();
        });
        assertThat(post("1h").statusCode()).isEqualTo(202);
        String queue = config.prefix() + ".delay.30m";
        try (PlainClient client = new PlainClient(mpConfig)) {
            Channel channel = client.channel();
            assertThat(channel.messageCount(queue)).isEqualTo(accepted);
            channel.queuePurge(queue);
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> post("30m").statusCode() == 202);
    }

    private static int ready() {
        return given().get("/q/health/ready").statusCode();
    }

    private static Response post(String delay) {
        return given().contentType("application/json")
                .body("{\"type\":\"full.tier\",\"delay\":\"" + delay + "\",\"payload\":1}")
                .post("/tasks");
    }
}
