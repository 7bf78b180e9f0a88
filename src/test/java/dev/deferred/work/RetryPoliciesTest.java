package dev.deferred.work;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deferred.scheduling.SchedulingConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetryPoliciesTest {
    @Test
    void aMisspeltExceptionIsRefusedByName() {
        assertThatThrownBy(() -> policies("java.io.IOException,java.io.IOExeption"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("deferred.retry.permanent")
                .hasMessageContaining("\"java.io.IOExeption\"")
                .hasMessageContaining("full name");
        assertThatCode(() -> policies("java.io.IOException, java.util.NoSuchElementException"))
                .doesNotThrowAnyException();
    }

    private static RetryPolicies policies(String permanent) {
        return new RetryPolicies(new SmallRyeConfigBuilder()
                .withMapping(SchedulingConfig.class)
                .withSources(new PropertiesConfigSource(Map.of("deferred.retry.permanent", permanent), "test", 100))
                .build()
                .getConfigMapping(SchedulingConfig.class));
    }
}
