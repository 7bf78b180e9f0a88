package dev.deferred.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deferred.core.Destination;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DestinationsTest {
    private static Destinations allowing(String destinations) {
        Map<String, String> settings =
                destinations.isEmpty() ? Map.of() : Map.of("deferred.destinations", destinations);
        return new Destinations(new SmallRyeConfigBuilder()
                .withMapping(SchedulingConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build()
                .getConfigMapping(SchedulingConfig.class));
    }

    @Test
    void theExchangeOfAllTasksIsAlwaysAllowedWithAnyKeyAndHasOneForm() {
        Destination asked = Destination.of("deferred.tasks", "any key #*é");
        assertThat(allowing("").require(asked)).isEqualTo(Destination.tasks("any key #*é"));
        assertThat(allowing("").require(Destination.tasks(""))).isEqualTo(Destination.tasks(""));
    }

    @ParameterizedTest
    @CsvSource({
        "orders, orders",
        "'billing, orders', orders",
        "orders.*, orders.eu.closed",
        "*, anything at all",
        "*.eu, orders.eu",
        "o*s, orders",
        "amq.*, amq.topic"
    })
    void whatTheListNamesIsAllowed(String list, String exchange) {
        assertThat(allowing(list).require(Destination.of(exchange, "key"))).isEqualTo(Destination.of(exchange, "key"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', orders",
        "'', ''",
        "orders, Orders",
        "orders, orders2",
        "orders.*, orders",
        "a+, aa",
        "*, deferred.in",
        "*, deferred.delay.30m",
        "*, deferred.parked",
        "*, deferred.due",
        "*, deferred.retry",
        "*, deferred.suspects",
        "deferred.in, deferred.in"
    })
    void whatItDoesNotNameAndWhatTasksWaitByIsRefused(String list, String exchange) {
        assertThatThrownBy(() -> allowing(list).require(Destination.of(exchange, "key")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("deferred.destinations");
    }

    @Test
    void theDefaultExchangeHasAnEmptyNameAndReachesAnyQueueButOurs() {
        Destinations some = allowing("amq.default");
        assertThat(some.require(Destination.of("", "queue"))).isEqualTo(Destination.of("", "queue"));
        assertThat(some.require(Destination.of("amq.default", "queue"))).isEqualTo(Destination.of("", "queue"));
        assertThat(some.require(Destination.of("", "deferred.tasks"))).isEqualTo(Destination.of("", "deferred.tasks"));
        for (String ours : new String[] {"deferred.due", "deferred.delay.1s", "deferred.parked", "deferred.suspects"}) {
            assertThatThrownBy(() -> some.require(Destination.of("", ours))).hasMessageContaining(ours);
        }
    }

    @Test
    void onlyATaskThatWasHereBeforeComesBackByTheExchangesOfFailedTasks() {
        for (String ours : new String[] {"deferred.retry", "deferred.suspects"}) {
            Destination back = Destination.of(ours, "key");
            assertThat(allowing("").requireOfTask(back)).isEqualTo(back);
        }
        assertThat(allowing("").requireOfTask(Destination.tasks("key"))).isEqualTo(Destination.tasks("key"));
        assertThatThrownBy(() -> allowing("").requireOfTask(Destination.of("deferred.in", "key")))
                .hasMessageContaining("deferred.in");
    }

    @Test
    void namesAreCountedInBytes() {
        assertThat(allowing("*").require(Destination.of("é".repeat(127), "é".repeat(127))))
                .isNotNull();
        assertThatThrownBy(() -> allowing("*").require(Destination.of("é".repeat(128), "key")))
                .hasMessageContaining("256 bytes")
                .hasMessageContaining("255");
        assertThatThrownBy(() -> allowing("*").require(Destination.tasks("é".repeat(128))))
                .hasMessageContaining("routing key");
    }
}
