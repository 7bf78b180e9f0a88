package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced.Answer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The broker is out of memory and blocks whoever publishes. */
@NeedsBrokerNode
class MemoryAlarmIT {
    @Test
    void aBlockedBrokerIsRefusedInTimeAndUsedAgainAfterwards() throws Exception {
        try (FaultBench bench = FaultBench.start("memory-alarm");
                Scenario scenario = bench.begin("memory-alarm")) {
            scenario.underMixedTraffic();
            int connections = bench.proxy.connectionsAccepted();
            scenario.disturb("memory alarm", () -> {
                bench.broker.ctl("set_vm_memory_high_watermark", "0");
                try {
                    await("readiness to tell")
                            .atMost(Duration.ofSeconds(15))
                            .until(() -> !bench.service.http().isReady());
                    assertThat(bench.service.http().isAlive()).isTrue();
                    scenario.awaitMore(Answer.REFUSED, 200);
                } finally {
                    bench.broker.ctl("set_vm_memory_high_watermark", "0.4");
                }
            });
            scenario.everyPromiseIsKept();
            assertThat(bench.proxy.connectionsAccepted())
                    .as("connections: an alarm is no reason to make them anew and to publish again what they carried")
                    .isEqualTo(connections);
        }
    }
}
