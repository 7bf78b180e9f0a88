package dev.deferred.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceProcessIT {
    /** Nothing listens on port 1: the service runs, without a broker. */
    private static final Map<String, String> NO_BROKER = Map.of("rabbitmq-host", "127.0.0.1", "rabbitmq-port", "1");

    @Test
    void diesStopsAndStartsAgainOnTheSamePort() {
        try (ServiceProcess service = ServiceProcess.start("service-process", NO_BROKER)) {
            assertThat(service.http().isAlive()).isTrue();
            service.kill();
            assertThat(service.http().isAlive()).isFalse();
            service.startAgain();
            assertThat(service.http().isAlive()).isTrue();
            service.stop();
            assertThat(service.http().isAlive()).isFalse();
            assertThat(service.log()).contains("stopped in");
        }
    }

    @Test
    void aRequestToADeadServiceHasAnUnknownOutcome() {
        ServiceHttp nobody = new ServiceHttp(FreePorts.next());
        Produced task = nobody.post("a-type", Duration.ZERO, "a-ref").join();
        assertThat(task.answer()).isEqualTo(Produced.Answer.UNKNOWN);
        assertThat(task.ref()).isEqualTo("a-ref");
    }
}
