package dev.deferred.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstantsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00.000Z",
        "1, 1970-01-01T00:00:00.001Z",
        "999, 1970-01-01T00:00:00.999Z",
        "1000, 1970-01-01T00:00:01.000Z",
        "60000, 1970-01-01T00:01:00.000Z",
        "-1, 1969-12-31T23:59:59.999Z",
        "1796119200000, 2026-12-01T10:00:00.000Z",
        "253402300799999, 9999-12-31T23:59:59.999Z",
        "253402300800000, +10000-01-01T00:00:00.000Z",
    })
    void anInstantAlwaysHasMilliseconds(long epochMillis, String written) {
        assertThat(Instants.write(epochMillis)).isEqualTo(written);
    }
}
