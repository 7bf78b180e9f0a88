package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced.Answer;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The service itself dies, or is told to stop, while it works. */
@NeedsBrokerNode
class ServiceCrashIT {
    /** The same points every time; another seed finds others. */
    private static final long SEED = Long.getLong("faults.seed", 20_260_101L);

    private static final int CRASHES = 4;

    private static FaultBench bench;

    @BeforeAll
    static void start() {
        bench = FaultBench.start("service-crash");
    }

    @AfterAll
    static void stop() throws IOException {
        bench.close();
    }

    @Test
    void aCrashAtAnyPointLosesNothing() throws Exception {
        System.out.println("Killing the service at random points, -Dfaults.seed=" + SEED);
        Random random = new Random(SEED);
        try (Scenario scenario = bench.begin("service-crash")) {
            scenario.underMixedTraffic();
            for (int crash = 0; crash < CRASHES; crash++) {
                scenario.awaitMore(Answer.ACCEPTED, 1 + random.nextInt(150));
                scenario.disturb("service killed", () -> {
                    bench.service.kill();
                    bench.service.startAgain();
                });
            }
            scenario.awaitMore(Answer.ACCEPTED, 40);
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void anOrderlyStopLosesNothingAndAnswersWhatItHas() throws Exception {
        try (Scenario scenario = bench.begin("service-stop")) {
            scenario.underMixedTraffic();
            scenario.disturb("service stopped", () -> {
                bench.service.stop();
                bench.service.startAgain();
            });
            scenario.awaitMore(Answer.ACCEPTED, 40);
            scenario.everyPromiseIsKept();
            assertThat(scenario.evidence().answered(Answer.UNKNOWN))
                    .as("requests without an answer whose task was scheduled all the same")
                    .filteredOn(
                            task -> !scenario.evidence().sightings(task.ref()).isEmpty())
                    .isEmpty();
        }
    }
}
