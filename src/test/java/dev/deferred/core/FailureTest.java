package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTest {
    @Test
    void aFailureIsTheClassAndTheMessage() {
        assertThat(Failure.of(new IllegalStateException("no paper"), 5))
                .isEqualTo(new Failure("java.lang.IllegalStateException: no paper", 5));
        assertThat(Failure.of(new IllegalStateException((String) null), 5).text())
                .isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void itsCausesStayOut() {
        Throwable thrown = new IllegalArgumentException("the root");
        for (int i = 0; i < 200; i++) {
            thrown = new IllegalStateException("outer", thrown);
        }
        assertThat(Failure.of(thrown, 0).text()).isEqualTo("java.lang.IllegalStateException: outer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "é", "中", "😀"})
    void aLongMessageIsCutToTwoKilobytes(String part) {
        String text =
                Failure.of(new IllegalStateException(part.repeat(300_000)), 0).text();
        assertThat(text).startsWith("java.lang.IllegalStateException: " + part).endsWith("…");
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_700, Failure.MOST_BYTES);
    }

    @Test
    void itIsOneLine() {
        assertThat(new Failure("a\nb\u0000c", 0).text()).isEqualTo("a b c");
    }
}
