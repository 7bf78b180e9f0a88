package dev.deferred.core;

/**
 * One failed attempt, short enough to travel with the task.
 *
 * @param text the class and the message of what was thrown; at most {@value #MOST_BYTES} bytes of UTF-8
 * @param atMillis when, epoch milliseconds
 */
public record Failure(String text, long atMillis) {
    /** How much of a failure is kept, in bytes of UTF-8. */
    public static final int MOST_BYTES = 2_048;

    public Failure {
        text = Excerpt.ofBytes(text, MOST_BYTES);
    }

    /** What was thrown, by class and message; its causes and its stack trace are left to the log. */
    public static Failure of(Throwable thrown, long atMillis) {
        String message = thrown.getMessage();
        String name = thrown.getClass().getName();
        return new Failure(message == null ? name : name + ": " + message, atMillis);
    }
}
