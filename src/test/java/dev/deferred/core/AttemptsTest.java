package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptsTest {
    private static Attempts counted(int next, int crashes) {
        return new Attempts(next, crashes, Optional.empty(), Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "5, 6", "2147483646, 2147483647", "2147483647, 2147483647"})
    void theNextAttemptIsOneHigherUntilTheEnd(int before, int after) {
        assertThat(counted(before, 3).advanced()).isEqualTo(counted(after, 3));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "2147483647, 2147483647"})
    void aCrashIsCountedAndIsNoAttemptOfItsOwn(int before, int after) {
        assertThat(counted(7, before).crashed()).isEqualTo(counted(7, after));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-1, 0", "1, -1"})
    void countsThatCannotBeAreRefused(int next, int crashes) {
        assertThatThrownBy(() -> counted(next, crashes)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ofManyFailuresTheFirstAndTheLastAreKept() {
        Attempts attempts = Attempts.NONE;
        for (int i = 1; i <= 1_000; i++) {
            attempts = attempts.failed(new Failure("failure " + i, i)).advanced();
        }
        assertThat(attempts.next()).isEqualTo(1_001);
        assertThat(attempts.first()).contains(new Failure("failure 1", 1));
        assertThat(attempts.last()).contains(new Failure("failure 1000", 1_000));
    }
}
