package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ExcerptTest {
    @Test
    void aShortTextIsWhole() {
        assertThat(Excerpt.of("", 3)).isEmpty();
        assertThat(Excerpt.of("abc", 3)).isEqualTo("abc");
    }

    @Test
    void aLongTextIsCutWithASign() {
        assertThat(Excerpt.of("abcd", 3)).isEqualTo("abc…");
    }

    @Test
    void aSurrogatePairIsNeverCutInHalf() {
        assertThat(Excerpt.of("ab😀d", 3)).isEqualTo("ab…");
        assertThat(Excerpt.of("a😀cd", 3)).isEqualTo("a😀…");
    }

    @Test
    void controlCharactersBecomeSpaces() {
        assertThat(Excerpt.of("a\nb\r\u0000c", 10)).isEqualTo("a b  c");
        assertThat(Excerpt.of("a\nbcd", 3)).isEqualTo("a b…");
    }

    @Test
    void whatBreaksALineOrTurnsItsDirectionBecomesASpaceEverywhereInUnicode() {
        assertThat(Excerpt.of("a\u0085b\u2028c\u2029d\u202Ee\u2066f\u200Fg\u061Ch\u009Bi", 40))
                .isEqualTo("a b c d e f g h i");
        assertThat(Excerpt.of("👩\u200D🚀 é", 40)).isEqualTo("👩\u200D🚀 é");
    }

    @Test
    void aTextIsCutByBytesToo() {
        assertThat(Excerpt.ofBytes("", 40)).isEmpty();
        assertThat(Excerpt.ofBytes("x".repeat(40), 40)).isEqualTo("x".repeat(40));
        for (String part : new String[] {"x", "é", "中", "😀", "a😀"}) {
            String excerpt = Excerpt.ofBytes(part.repeat(100_000), 255);
            assertThat(excerpt.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(200, 255);
            assertThat(excerpt).endsWith(part.substring(0, 1).equals("a") ? "…" : part + "…");
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(excerpt)).isTrue();
        }
    }
}
