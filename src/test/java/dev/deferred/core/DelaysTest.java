package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelaysTest {
    private static final long MAX = 315_360_000_000L;

    @ParameterizedTest
    @CsvSource({
        "0s, 0",
        "0ms, 0",
        "PT0S, 0",
        "1ms, 1",
        "250ms, 250",
        "999ms, 999",
        "1s, 1000",
        "30m, 1800000",
        "1h30m, 5400000",
        "PT30M, 1800000",
        "PT1H30M, 5400000",
        "P1D, 86400000",
        "7d, 604800000",
        "366d, 31622400000",
        "1d2h3m4s5ms, 93784005",
        "90s, 90000",
        "PT0.001S, 1",
        "3650d, 315360000000",
        "PT87600H, 315360000000",
        "+PT5S, 5000"
    })
    void readsADelay(String text, long millis) {
        assertThat(Delays.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"PT0.0001S, 1", "PT0.000000001S, 1", "PT1.0005S, 1001", "PT0.9999S, 1000"})
    void roundsUpWhatIsBelowAMillisecond(String text, long millis) {
        assertThat(Delays.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "5000", "1.5", "1.5s", "1e3", "-1s", "-1", "s", "5 s", "5S", "1m1h", "1h 30m", "P", "PT",
                "P1M", "P1Y", "true", "null", "∞", "１s", "0x10s", "1s1s", "5s\n"
            })
    void refusesWhatIsNoDelayAndSaysHowToWriteOne(String text) {
        assertThatThrownBy(() -> Delays.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1h30m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-PT1S", "PT-1S", "PT-0.001S", "P-1D"})
    void refusesNegativeDelays(String text) {
        assertThatThrownBy(() -> Delays.parse(text)).hasMessageContaining("negative");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "315360000001ms",
                "3650d1ms",
                "3651d",
                "999999999999d",
                "PT87601H",
                "P106751991167300D",
                "PT9223372036854775807S"
            })
    void refusesWhatIsLongerThanRabbitMqCanHoldAndNamesTheLimit(String text) {
        assertThatThrownBy(() -> Delays.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3650d");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "1, 1ms",
        "999, 999ms",
        "1000, 1s",
        "1001, 1s1ms",
        "60000, 1m",
        "90000, 1m30s",
        "5400000, 1h30m",
        "604800000, 7d"
    })
    void writesADelayInTheShortestForm(long millis, String text) {
        assertThat(Delays.format(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999, 1_000, 1_001, 59_999, 60_000, 86_399_999, 86_400_000, 31_622_400_000L, MAX})
    void readsWhatItWrote(long millis) {
        Duration delay = Duration.ofMillis(millis);
        assertThat(Delays.parse(Delays.format(delay))).isEqualTo(delay);
    }
}
