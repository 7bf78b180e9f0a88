package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
    private static final RetryPolicy PLAIN =
            new RetryPolicy(5, Duration.ofSeconds(10), 3, Duration.ofHours(1), 0, Set.of());

    @ParameterizedTest
    @CsvSource({
        "1, 10s",
        "2, 30s",
        "3, 90s",
        "4, 270s",
        "5, 810s",
        "6, 2430s",
        "7, 1h",
        "64, 1h",
        "1000, 1h",
        "2147483647, 1h"
    })
    void theWaitGrowsUpToItsCapAndNeverOverflows(int attempt, String wait) {
        assertThat(PLAIN.delayAfter(attempt, new Random(1))).isEqualTo(Delays.parse(wait));
    }

    @Test
    void theLargestValuesSaturateToo() {
        RetryPolicy largest = new RetryPolicy(10_000, Delays.MAX, 100, Delays.MAX, 0, Set.of());
        assertThat(largest.delayAfter(Integer.MAX_VALUE, new Random(1))).isEqualTo(Delays.MAX);
        RetryPolicy none = new RetryPolicy(1, Duration.ZERO, 100, Duration.ZERO, 1, Set.of());
        assertThat(none.delayAfter(Integer.MAX_VALUE, new Random(1))).isZero();
    }

    @Test
    void jitterOnlyShortensAndByNoMoreThanItsShare() {
        RetryPolicy policy = PLAIN.withJitter(0.2);
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            assertThat(policy.delayAfter(1, random)).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
            assertThat(policy.delayAfter(99, random)).isBetween(Duration.ofMinutes(48), Duration.ofHours(1));
        }
        assertThat(Stream.generate(() -> policy.delayAfter(1, random))
                        .limit(100)
                        .distinct()
                        .count())
                .isGreaterThan(50);
    }

    @Test
    void theLastAttemptIsTheOneThatTheLimitNames() {
        assertThat(PLAIN.allowsAnotherAfter(1)).isTrue();
        assertThat(PLAIN.allowsAnotherAfter(4)).isTrue();
        assertThat(PLAIN.allowsAnotherAfter(5)).isFalse();
        assertThat(PLAIN.allowsAnotherAfter(1_000)).isFalse();
        assertThat(PLAIN.withMaxAttempts(1).allowsAnotherAfter(1)).isFalse();
    }

    @Test
    void anExceptionIsPermanentByItsClassOrASuperclass() {
        RetryPolicy policy = PLAIN.withPermanent(Set.of(IOException.class.getName()));
        assertThat(policy.isPermanent(new IOException())).isTrue();
        assertThat(policy.isPermanent(new ConnectException())).isTrue();
        assertThat(policy.isPermanent(new UncheckedIOException(new IOException())))
                .isFalse();
        assertThat(PLAIN.isPermanent(new IOException())).isFalse();
    }

    @Test
    void whatIsOutOfRangeIsRefusedByName() {
        assertThatThrownBy(() -> PLAIN.withMaxAttempts(0)).hasMessageContaining("max-attempts must be from 1 to 10000");
        assertThatThrownBy(() -> PLAIN.withMaxAttempts(10_001)).hasMessageContaining("It is 10001");
        assertThatThrownBy(() -> PLAIN.withFactor(0.9)).hasMessageContaining("factor must be");
        assertThatThrownBy(() -> PLAIN.withFactor(Double.NaN)).hasMessageContaining("factor must be");
        assertThatThrownBy(() -> PLAIN.withJitter(1.1)).hasMessageContaining("jitter must be");
        assertThatThrownBy(() -> PLAIN.withMaxDelay(Duration.ofSeconds(9))).hasMessageContaining("max-delay must be");
        assertThatThrownBy(() -> PLAIN.withDelay(Duration.ofMillis(-1))).hasMessageContaining("delay must be");
        assertThat(PLAIN.withDelay(Duration.ofHours(2)).maxDelay()).isEqualTo(Duration.ofHours(2));
    }
}
