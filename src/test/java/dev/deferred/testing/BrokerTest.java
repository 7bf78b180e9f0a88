package dev.deferred.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(Broker.class)
class BrokerTest {
    @ConfigProperty(name = "rabbitmq-host")
    String host;

    @ConfigProperty(name = "rabbitmq-port")
    int port;

    @ConfigProperty(name = "deferred.prefix")
    String prefix;

    @Test
    void theApplicationIsGivenABrokerThatAnswers() {
        assertThat(AmqpListener.answers(host, port)).isTrue();
    }

    @Test
    void theApplicationHasBrokerObjectsOfItsOwn() {
        assertThat(prefix).matches("test-[0-9a-f]{8}");
    }
}
