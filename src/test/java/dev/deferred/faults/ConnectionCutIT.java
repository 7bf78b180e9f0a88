package dev.deferred.faults;

import static org.awaitility.Awaitility.await;

import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.Traffic;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The connection breaks between a publish and its confirm, again and again, under load. */
@NeedsBrokerNode
class ConnectionCutIT {
    private static final int TIMES = 6;
    private static final int UNCONFIRMED = 15;

    private static FaultBench bench;

    @BeforeAll
    static void start() {
        bench = FaultBench.start("connection-cut");
    }

    @AfterAll
    static void stop() throws IOException {
        bench.close();
    }

    @Test
    void resetsLoseNothing() throws Exception {
        try (Scenario scenario = bench.begin("reset")) {
            scenario.underMixedTraffic();
            for (int i = 0; i < TIMES; i++) {
                scenario.disturb("connections reset", bench.proxy::reset);
                scenario.awaitMore(Answer.ACCEPTED, 40);
            }
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void publishesThatNeverArriveAreMadeAgain() throws Exception {
        try (Scenario scenario = bench.begin("cut-before-arrival")) {
            Traffic traffic = scenario.underMixedTraffic();
            for (int i = 0; i < TIMES; i++) {
                scenario.disturb("cut before publishes arrive", () -> {
                    bench.proxy.blackHole();
                    cutAndRestore(traffic);
                });
                scenario.awaitMore(Answer.ACCEPTED, 40);
            }
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void confirmsThatNeverArriveCostNoTask() throws Exception {
        try (Scenario scenario = bench.begin("cut-before-confirm")) {
            Traffic traffic = scenario.underMixedTraffic();
            for (int i = 0; i < TIMES; i++) {
                scenario.disturb("cut between publish and confirm", () -> {
                    bench.proxy.blackHoleReplies();
                    cutAndRestore(traffic);
                });
                scenario.awaitMore(Answer.ACCEPTED, 40);
            }
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void aBlackHoleHangsNoRequestAndIsLeftByItself() throws Exception {
        try (Scenario scenario = bench.begin("black-hole")) {
            scenario.underMixedTraffic();
            scenario.disturb("black hole", () -> {
                bench.proxy.blackHole();
                scenario.awaitMore(Answer.REFUSED, 50);
                bench.proxy.restore();
            });
            scenario.awaitMore(Answer.ACCEPTED, 40);
            scenario.disturb("black hole that ends in a reset", () -> {
                bench.proxy.blackHole();
                scenario.awaitMore(Answer.REFUSED, 50);
                bench.proxy.reset();
                bench.proxy.restore();
            });
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void connectionsClosedByTheBrokerAreMadeAgainAtFullSpeed() throws Exception {
        try (Scenario scenario = bench.begin("closed")) {
            scenario.underMixedTraffic();
            for (int i = 0; i < TIMES; i++) {
                scenario.disturb(
                        "connections closed by the broker", () -> bench.broker.ctl("close_all_connections", "a test"));
                scenario.awaitMore(Answer.ACCEPTED, 40);
            }
            scenario.everyPromiseIsKept();
        }
    }

    private static void cutAndRestore(Traffic traffic) {
        await("requests under way").atMost(Duration.ofSeconds(10)).until(() -> traffic.inFlight() >= UNCONFIRMED);
        bench.proxy.reset();
        bench.proxy.restore();
    }
}
