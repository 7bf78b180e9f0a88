package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.BrokerOptions;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.ServiceProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An operator's policy works against the service's queues. */
@NeedsBrokerNode
class PolicyIT {
    @Test
    void aServiceThatIsReadySaysWhichPolicyLosesTasks() {
        try (BrokerNode broker = BrokerNode.start(BrokerOptions.defaults().withPlugins("rabbitmq_management"))) {
            broker.ctl("set_policy", "tidy", "^deferred\\.parked$", "{\"max-length\":5}");
            Map<String, String> properties = Map.of(
                    "rabbitmq-host",
                    broker.host(),
                    "rabbitmq-port",
                    String.valueOf(broker.port()),
                    "rabbitmq-http-port",
                    String.valueOf(broker.managementPort().orElseThrow()));
            try (ServiceProcess service = ServiceProcess.start("policy", properties)) {
                await("the policy in readiness").atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                    var ready = service.http().get("/q/health/ready");
                    assertThat(ready.statusCode()).isEqualTo(200);
                    assertThat(ready.body()).contains("tidy", "max-length=5", "on deferred.parked");
                });
                assertThat(service.log()).contains("policy \"tidy\": max-length=5");
            }
        }
    }
}
