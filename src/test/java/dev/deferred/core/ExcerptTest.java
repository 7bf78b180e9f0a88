package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;

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
}
