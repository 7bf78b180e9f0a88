package dev.deferred.http;

import java.time.Instant;

/** Writes instants always alike: UTC with milliseconds, such as {@code 2026-12-01T10:00:00.000Z}. */
public final class Instants {
    private static final int SECOND = 1_000;

    private Instants() {}

    /**
     * Writes an instant.
     *
     * @param epochMillis milliseconds since 1970
     */
    public static String write(long epochMillis) {
        // a formatter with a fixed number of digits takes several times as long as this
        String second =
                Instant.ofEpochSecond(Math.floorDiv(epochMillis, SECOND)).toString();
        int millis = SECOND + Math.floorMod(epochMillis, SECOND);
        return second.substring(0, second.length() - 1)
                + '.'
                + Integer.toString(millis).substring(1)
                + 'Z';
    }
}
