package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerSettingsTest {
    @ParameterizedTest
    @CsvSource({
        "rabbitmq-port, abc",
        "rabbitmq-port, 0",
        "rabbitmq-port, 65536",
        "rabbitmq-port, -1",
        "rabbitmq-port, 5672x",
        "rabbitmq-port, 99999999999",
        "rabbitmq-addresses, a:b:c",
        "rabbitmq-addresses, a:b",
        "rabbitmq-addresses, a:65536",
        "rabbitmq-addresses, 'a:1,,b:2'",
        "rabbitmq-addresses, '::1'",
        "rabbitmq-addresses, 'a b:1'",
        "rabbitmq-addresses, amqp://a:1",
        "rabbitmq-ssl, tru",
        "rabbitmq-ssl, 2"
    })
    void whatCanNotBeUsedIsRefusedByNameWithWhatToDo(String name, String value) {
        assertThatThrownBy(() -> settings(Map.of(name, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("must be")
                .hasMessageContaining("Change it");
    }

    @Test
    void aVariableThatKubernetesMadeIsSaidToBeOne() {
        assertThatThrownBy(() -> settings(Map.of("rabbitmq-port", "tcp://10.0.0.1:5672")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("Kubernetes");
    }

    @ParameterizedTest
    @CsvSource({
        "'a:1,b:2', 'a:1, b:2'",
        "' a , b:65535 ', 'a, b:65535'",
        "'[::1]:5673', '[::1]:5673'",
        "10.0.0.1:5672, 10.0.0.1:5672"
    })
    void addressesOfACluster(String value, String where) {
        assertThat(settings(Map.of("rabbitmq-addresses", value)).where()).isEqualTo(where);
    }

    @Test
    void withoutAnySettingItIsTheUsualBrokerOfThisHost() {
        assertThat(settings(Map.of())).hasToString("guest at localhost:5672, virtual host \"/\"");
        assertThat(settings(Map.of("rabbitmq-host", "::1", "rabbitmq-port", " 5673 "))
                        .where())
                .isEqualTo("::1:5673");
        assertThat(settings(Map.of("rabbitmq-ssl", "TRUE")).ssl()).isTrue();
        assertThat(settings(Map.of("rabbitmq-ssl", "off")).ssl()).isFalse();
    }

    private static BrokerSettings settings(Map<String, String> properties) {
        return BrokerSettings.from(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build());
    }
}
