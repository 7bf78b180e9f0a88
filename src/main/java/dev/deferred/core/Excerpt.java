package dev.deferred.core;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The beginning of a text that may be long, for a message or a log. */
public final class Excerpt {
    /** Control characters, the separators of lines and paragraphs, and what turns the direction of writing. */
    private static final Pattern CONTROL =
            Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

    private Excerpt() {}

    /**
     * At most that many characters of the text, and a sign when more was there; never half of a surrogate pair, and never a line
     * break or another control character, by which a stranger could write lines of his own into a log or turn around what stands
     * there.
     *
     * @param most 1 or more
     */
    public static String of(String text, int most) {
        if (text.length() <= most) {
            return CONTROL.matcher(text).replaceAll(" ");
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return CONTROL.matcher(text.substring(0, end)).replaceAll(" ") + "…";
    }

    /**
     * The beginning of the text in at most that many bytes of UTF-8, otherwise like {@link #of}.
     *
     * @param most 40 or more
     */
    public static String ofBytes(String text, int most) {
        String excerpt = of(text, most);
        int length = Math.min(text.length(), most);
        while (excerpt.getBytes(StandardCharsets.UTF_8).length > most) {
            length = length * 9 / 10;
            excerpt = of(text, length);
        }
        return excerpt;
    }

    /** An {@linkplain #of excerpt} of 40 characters in quotation marks. */
    public static String quoted(String text) {
        return '"' + of(text, 40) + '"';
    }
}
