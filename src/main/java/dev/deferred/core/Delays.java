package dev.deferred.core;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes delays: {@code 250ms}, {@code 30m}, {@code 1h30m}, {@code 7d}, or ISO-8601 as in {@code PT30M}.
 *
 * <p>The resolution is one millisecond; an ISO-8601 fraction below it is rounded up, so that a delay is never shortened.
 */
public final class Delays {
    /** The longest delay RabbitMQ can hold as a queue TTL: 315,360,000,000 ms, ten years of 365 days. */
    public static final Duration MAX = Duration.ofDays(3650);

    private static final Pattern UNITS =
            Pattern.compile("(?:(\\d{1,12})d)?(?:(\\d{1,12})h)?(?:(\\d{1,12})m)?(?:(\\d{1,12})s)?(?:(\\d{1,12})ms)?");
    private static final long[] UNIT_MILLIS = {86_400_000L, 3_600_000L, 60_000L, 1_000L, 1L};
    private static final String[] UNIT_NAMES = {"d", "h", "m", "s", "ms"};
    private static final String HOW =
            "write it with units, such as 250ms, 30s, 1h30m or 7d, or as ISO-8601, such as PT30M";

    private Delays() {}

    /**
     * Reads a delay.
     *
     * @param text units from the largest to the smallest ({@code 1d12h}), or an ISO-8601 duration of days and smaller units
     * @return a delay of whole milliseconds, from 0 to {@link #MAX}
     * @throws IllegalArgumentException when the text is no delay, is negative or is longer than {@link #MAX}; the message
     *     says how to write it
     */
    public static Duration parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("is empty: " + HOW);
        }
        Duration delay = text.length() > 1 && (text.charAt(0) == 'P' || text.startsWith("-P") || text.startsWith("+P"))
                ? parseIso(text)
                : parseUnits(text);
        if (delay.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "is longer than " + format(MAX) + ", the longest that RabbitMQ can hold");
        }
        return delay;
    }

    private static Duration parseIso(String text) {
        Duration delay;
        try {
            delay = Duration.parse(text);
        } catch (java.time.format.DateTimeParseException e) {
            throw new IllegalArgumentException(Excerpt.quoted(text) + " is not a delay: " + HOW, e);
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException(Excerpt.quoted(text) + " is negative: a delay is 0 or more");
        }
        if (delay.compareTo(MAX) > 0) {
            return delay;
        }
        return Duration.ofMillis(millisRoundedUp(delay));
    }

    /** Whole milliseconds; what is below one is rounded up, so that nothing comes too early. */
    public static long millisRoundedUp(Duration time) {
        long millis = time.toMillis();
        return Duration.ofMillis(millis).equals(time) ? millis : millis + 1;
    }

    private static Duration parseUnits(String text) {
        Matcher matcher = UNITS.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(Excerpt.quoted(text) + " is not a delay: " + HOW);
        }
        Duration sum = Duration.ZERO;
        for (int unit = 0; unit < UNIT_MILLIS.length; unit++) {
            String digits = matcher.group(unit + 1);
            if (digits != null) {
                sum = sum.plus(Duration.ofMillis(UNIT_MILLIS[unit]).multipliedBy(Long.parseLong(digits)));
            }
        }
        return sum;
    }

    /**
     * Writes a delay in the shortest exact form that {@link #parse} reads, such as {@code 1h30m}; zero is {@code 0s}.
     *
     * @param delay 0 or more; what is below a millisecond is dropped
     */
    public static String format(Duration delay) {
        long left = delay.toMillis();
        if (left == 0) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        for (int unit = 0; unit < UNIT_MILLIS.length; unit++) {
            long count = left / UNIT_MILLIS[unit];
            left %= UNIT_MILLIS[unit];
            if (count > 0) {
                text.append(count).append(UNIT_NAMES[unit]);
            }
        }
        return text.toString();
    }
}
