package dev.deferred.http;

/** Checks text as strictly as RFC 3629 defines UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
    private Utf8() {}

    /** Where the first byte is that can't stand in UTF-8 text, NUL included; -1 when there is none. */
    static int firstFault(byte[] text) {
        int at = 0;
        while (at < text.length) {
            if (text[at] > 0) {
                at++;
                continue;
            }
            int length = sequenceLength(text, at);
            if (length == 0) {
                return at;
            }
            at += length;
        }
        return -1;
    }

    /** How many bytes the character of two or more bytes has that begins here; 0 when none does. */
    private static int sequenceLength(byte[] text, int at) {
        int first = text[at] & 0xFF;
        int second = continuation(text, at + 1);
        if (second < 0) {
            return 0;
        }
        if (first >= 0xC2 && first <= 0xDF) {
            return 2;
        }
        if (continuation(text, at + 2) < 0) {
            return 0;
        }
        if (first >= 0xE0 && first <= 0xEF) {
            boolean overlong = first == 0xE0 && second < 0xA0;
            boolean surrogate = first == 0xED && second > 0x9F;
            return overlong || surrogate ? 0 : 3;
        }
        if (first < 0xF0 || first > 0xF4 || continuation(text, at + 3) < 0) {
            return 0;
        }
        boolean overlong = first == 0xF0 && second < 0x90;
        boolean beyond = first == 0xF4 && second > 0x8F;
        return overlong || beyond ? 0 : 4;
    }

    private static int continuation(byte[] text, int at) {
        if (at >= text.length) {
            return -1;
        }
        int unsigned = text[at] & 0xFF;
        return (unsigned & 0xC0) == 0x80 ? unsigned : -1;
    }
}
