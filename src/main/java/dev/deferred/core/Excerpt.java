package dev.deferred.core;

/** The beginning of a text that may be long, for a message or a log. */
public final class Excerpt {
    private Excerpt() {}

    /**
     * At most that many characters of the text, and a sign when more was there; never half of a surrogate pair.
     *
     * @param most 1 or more
     */
    public static String of(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }

    /** An {@linkplain #of excerpt} of 40 characters in quotation marks. */
    public static String quoted(String text) {
        return '"' + of(text, 40) + '"';
    }
}
