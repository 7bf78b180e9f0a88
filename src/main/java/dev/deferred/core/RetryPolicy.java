package dev.deferred.core;

import java.time.Duration;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * How failed work is tried again: after a delay that grows with each attempt up to a cap, until the attempts are used up.
 *
 * @param maxAttempts how often a task is tried at most, the first time included: 1 to {@value #MOST_ATTEMPTS}
 * @param delay the wait after the first failure: 0 or more
 * @param factor by how much each further wait is longer than the one before: 1 to {@value #LARGEST_FACTOR}
 * @param maxDelay the longest wait: from {@code delay} on
 * @param jitter by what share a wait is shortened at random at most, so that what failed together does not come back
 *     together: 0 to 1
 * @param permanent names of exception classes, with their subclasses, after which trying again is useless
 */
public record RetryPolicy(
        int maxAttempts, Duration delay, double factor, Duration maxDelay, double jitter, Set<String> permanent) {
    /** The highest limit of attempts. */
    public static final int MOST_ATTEMPTS = 10_000;

    /** The largest factor. */
    public static final int LARGEST_FACTOR = 100;

    /** @throws IllegalArgumentException naming the first value that is out of range, as it is named in the configuration */
    public RetryPolicy {
        permanent = Set.copyOf(permanent);
        require(
                maxAttempts >= 1 && maxAttempts <= MOST_ATTEMPTS,
                "max-attempts",
                "from 1 to " + MOST_ATTEMPTS,
                maxAttempts);
        require(
                !delay.isNegative() && delay.compareTo(Delays.MAX) <= 0,
                "delay",
                "from 0s to " + Delays.format(Delays.MAX),
                Delays.format(delay));
        require(factor >= 1 && factor <= LARGEST_FACTOR, "factor", "from 1 to " + LARGEST_FACTOR, factor);
        require(
                maxDelay.compareTo(delay) >= 0 && maxDelay.compareTo(Delays.MAX) <= 0,
                "max-delay",
                "from the delay, " + Delays.format(delay) + ", to " + Delays.format(Delays.MAX),
                Delays.format(maxDelay));
        require(jitter >= 0 && jitter <= 1, "jitter", "from 0 to 1", jitter);
    }

    private static void require(boolean inRange, String name, String range, Object found) {
        if (!inRange) {
            throw new IllegalArgumentException(name + " must be " + range + ". It is " + found);
        }
    }

    /**
     * The wait after a failed attempt, in whole milliseconds, never longer than {@code maxDelay}.
     *
     * @param attempt which attempt failed, from 1; of any size
     */
    public Duration delayAfter(int attempt, RandomGenerator random) {
        double grown = (double) delay.toMillis() * Math.pow(factor, attempt - 1.0);
        double capped = Math.min(grown, (double) maxDelay.toMillis()); // also of infinity
        return Duration.ofMillis(Math.round(capped * (1 - jitter * random.nextDouble())));
    }

    /** Whether another attempt is left after that one. */
    public boolean allowsAnotherAfter(int attempt) {
        return attempt < maxAttempts;
    }

    /** Whether trying again is useless after that exception. */
    public boolean isPermanent(Throwable thrown) {
        for (Class<?> kind = thrown.getClass(); kind != null; kind = kind.getSuperclass()) {
            if (permanent.contains(kind.getName())) {
                return true;
            }
        }
        return false;
    }

    /** The same with another number of attempts. */
    public RetryPolicy withMaxAttempts(int other) {
        return new RetryPolicy(other, delay, factor, maxDelay, jitter, permanent);
    }

    /** The same with another first wait, and a cap that is at least as long. */
    public RetryPolicy withDelay(Duration other) {
        Duration cap = maxDelay.compareTo(other) < 0 ? other : maxDelay;
        return new RetryPolicy(maxAttempts, other, factor, cap, jitter, permanent);
    }

    /** The same with another factor. */
    public RetryPolicy withFactor(double other) {
        return new RetryPolicy(maxAttempts, delay, other, maxDelay, jitter, permanent);
    }

    /** The same with another cap. */
    public RetryPolicy withMaxDelay(Duration other) {
        return new RetryPolicy(maxAttempts, delay, factor, other, jitter, permanent);
    }

    /** The same with another jitter. */
    public RetryPolicy withJitter(double other) {
        return new RetryPolicy(maxAttempts, delay, factor, maxDelay, other, permanent);
    }

    /** The same with other exceptions that are permanent, by the names of their classes. */
    public RetryPolicy withPermanent(Set<String> other) {
        return new RetryPolicy(maxAttempts, delay, factor, maxDelay, jitter, other);
    }
}
