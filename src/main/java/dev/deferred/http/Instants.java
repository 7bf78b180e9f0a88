package dev.deferred.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Writes instants always alike: UTC with milliseconds, such as {@code 2026-12-01T10:00:00.000Z}. */
final class Instants {
    private static final DateTimeFormatter FORMAT =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter().withZone(ZoneOffset.UTC);

    private Instants() {}

    /**
     * Writes an instant.
     *
     * @param epochMillis milliseconds since 1970
     */
    static String write(long epochMillis) {
        return FORMAT.format(Instant.ofEpochMilli(epochMillis));
    }
}
