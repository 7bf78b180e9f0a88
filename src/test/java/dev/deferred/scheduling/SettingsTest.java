package dev.deferred.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import io.smallrye.config.common.utils.StringUtil;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final Pattern ROW =
            Pattern.compile("^\\| `(deferred\\.[a-z.-]+)` \\| `?([^`|]*?)`? \\|", Pattern.MULTILINE);

    @Test
    void theTableInTheReadmeNamesEverySettingWithItsDefault() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("README.md")));
        while (rows.find()) {
            documented.put(rows.group(1), rows.group(2));
        }
        Map<String, String> actual = new TreeMap<>();
        collect(SchedulingConfig.class, "deferred.", actual);
        assertThat(documented).isEqualTo(actual);
        assertThat(SettingsCheck.KNOWN).isEqualTo(actual.keySet());
    }

    @Test
    void aMisspeltSettingIsRefusedByName() {
        assertThatThrownBy(() -> SettingsCheck.known(
                        sources(new PropertiesConfigSource(Map.of("deferred.tires", "1s"), "test", 100))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("deferred.tires")
                .hasMessageContaining("deferred.tiers");
    }

    @Test
    void whatKubernetesPutsIntoTheEnvironmentIsNoSetting() {
        EnvConfigSource environment = new EnvConfigSource(Map.of("DEFERRED_PORT", "tcp://10.0.0.1:8080"), 300);
        assertThatCode(() -> SettingsCheck.known(sources(environment))).doesNotThrowAnyException();
    }

    private static Config sources(ConfigSource source) {
        return new SmallRyeConfigBuilder().withSources(source).build();
    }

    private static void collect(Class<?> mapping, String prefix, Map<String, String> into) {
        for (Method method : mapping.getMethods()) {
            String name = prefix + StringUtil.skewer(method.getName());
            WithDefault byDefault = method.getAnnotation(WithDefault.class);
            if (byDefault != null) {
                into.put(name, byDefault.value());
            } else if (Set.of(Optional.class, Map.class).contains(method.getReturnType())) {
                into.put(name, "");
            } else {
                collect(method.getReturnType(), name + ".", into);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "max-payload, 0",
        "max-payload, 8M",
        "max-in-flight, 1",
        "max-in-flight, 100000",
        "gate-prefetch, 1",
        "gate-prefetch, 65535",
        "send-timeout, 100ms",
        "send-timeout, 30s",
        "shutdown-grace, 0s",
        "work.time-limit, 30m",
        "work.prefetch, 50"
    })
    void theEndsOfEachRangeAreAccepted(String name, String value) {
        assertThatCode(() -> SettingsCheck.check(config("deferred." + name, value)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "max-payload, 9M", "max-in-flight, 0", "max-in-flight, 100001", "gate-prefetch, 0", "gate-prefetch, 65536",
                "send-timeout, 99ms",
        "send-timeout, 31s", "shutdown-grace, 11m", "work.time-limit, 0s", "work.time-limit, 31m", "work.prefetch, 49",
                "work.concurrency, 0"
    })
    void outsideItsRangeASettingIsRefusedByNameWithWhatToDo(String name, String value) {
        assertThatThrownBy(() -> SettingsCheck.check(config("deferred." + name, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("deferred." + name)
                .hasMessageContaining("must be from")
                .hasMessageContaining("Change it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-delay, ,new-delay", "deferred-due-at", "x-delay, deferred-mine"})
    void aDelayHeaderHasANameThatIsNotOneOfOurs(String names) {
        assertThatThrownBy(() -> SettingsCheck.check(config("deferred.delay-headers", names)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("deferred.delay-headers")
                .hasMessageContaining("Change it");
        assertThatCode(() -> SettingsCheck.check(config("deferred.delay-headers", "x-delay, new-delay")))
                .doesNotThrowAnyException();
    }

    @Test
    void aMisspeltTrueIsNotTakenForFalse() {
        assertThatThrownBy(() -> config("deferred.declare", "ture")).hasMessageContaining("deferred.declare");
        assertThat(config("deferred.declare", "TRUE").declare()).isTrue();
        assertThat(config("deferred.declare", "false").declare()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"''", "a/b", "a b", "é", "a#"})
    void aPrefixThatBrokersOrPeopleStumbleOverIsRefused(String prefix) {
        assertThatThrownBy(() -> new Names(prefix))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("deferred.prefix");
    }

    private static SchedulingConfig config(String name, String value) {
        return new SmallRyeConfigBuilder()
                .withMapping(SchedulingConfig.class)
                .withSources(new PropertiesConfigSource(Map.of(name, value), "test", 100))
                .build()
                .getConfigMapping(SchedulingConfig.class);
    }
}
