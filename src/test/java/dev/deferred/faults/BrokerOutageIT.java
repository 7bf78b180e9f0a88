package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The broker stops, dies or stands still while tasks are in every stage. */
@NeedsBrokerNode
class BrokerOutageIT {
    private static final int CRASHES = 2;

    private static FaultBench bench;

    @BeforeAll
    static void start() {
        bench = FaultBench.start("broker-outage");
    }

    @AfterAll
    static void stop() throws IOException {
        bench.close();
    }

    @Test
    void aRestartLosesNothing() throws Exception {
        try (Scenario scenario = bench.begin("restart")) {
            scenario.underMixedTraffic();
            scenario.disturb("broker restarted", () -> {
                bench.broker.stop();
                bench.startBrokerAgain();
            });
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void aCrashLosesNothing() throws Exception {
        try (Scenario scenario = bench.begin("crash")) {
            scenario.underMixedTraffic();
            for (int crash = 0; crash < CRASHES; crash++) {
                scenario.disturb("broker killed", () -> {
                    bench.broker.kill();
                    bench.startBrokerAgain();
                });
                scenario.awaitMore(Answer.ACCEPTED, 100);
            }
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void aFrozenBrokerHangsNoRequest() throws Exception {
        try (Scenario scenario = bench.begin("freeze")) {
            scenario.underMixedTraffic();
            scenario.disturb("broker frozen", () -> {
                bench.broker.freeze();
                try {
                    scenario.awaitMore(Answer.REFUSED, 50);
                    assertThat(bench.service.http().isAlive()).isTrue();
                } finally {
                    bench.broker.thaw();
                }
            });
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void anOutageLongerThanTheTierIsCaughtUp() throws Exception {
        try (Scenario scenario = bench.begin("long-outage")) {
            for (int i = 0; i < 50; i++) {
                Produced task = scenario.post(Duration.ofSeconds(5));
                assertThat(task.answer()).as(task.toString()).isEqualTo(Answer.ACCEPTED);
            }
            Instant allOverdue = Instant.now().plusSeconds(15);
            scenario.disturb("broker away longer than the tier", () -> {
                bench.broker.stop();
                await().atMost(Duration.ofSeconds(20)).until(() -> Instant.now().isAfter(allOverdue));
                assertThat(scenario.evidence().sightings()).isEmpty();
                bench.startBrokerAgain();
            });
            scenario.everyPromiseIsKept();
        }
    }
}
