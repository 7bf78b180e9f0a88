package dev.deferred.scheduling;

import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How failed tasks are tried again; see {@link dev.deferred.core.RetryPolicy}. */
public interface RetryConfig {
    /** How often a task is tried at most, the first time included. From 1 to 10000. */
    @WithDefault("5")
    int maxAttempts();

    /** The wait after the first failure. From 0s to 3650d. */
    @WithDefault("10s")
    @WithConverter(DelayConverter.class)
    Duration delay();

    /** By how much each further wait is longer than the one before. From 1 to 100. */
    @WithDefault("3")
    double factor();

    /** The longest wait. From the delay to 3650d. */
    @WithDefault("1h")
    @WithConverter(DelayConverter.class)
    Duration maxDelay();

    /**
     * By what share a wait is shortened at random at most, so that what failed together does not come back together. From 0 to
     * 1.
     */
    @WithDefault("0.2")
    double jitter();

    /** Names of exception classes, with their subclasses, after which a task is parked at once, separated by commas. */
    Optional<List<String>> permanent();

    /**
     * How old a task may be, since it was scheduled or replayed, when it is due for another attempt or to ask again; one that would be older
     * is parked. Without a value there is no limit.
     */
    @WithConverter(DelayConverter.class)
    Optional<Duration> maxAge();

    /** What is different for one type of task: {@code deferred.retry.types."order-timeout".max-attempts} and so on. */
    Map<String, OfType> types();

    /** What is different for one type; what is not set is as for all. */
    interface OfType {
        Optional<Integer> maxAttempts();

        @WithConverter(DelayConverter.class)
        Optional<Duration> delay();

        Optional<Double> factor();

        @WithConverter(DelayConverter.class)
        Optional<Duration> maxDelay();

        Optional<Double> jitter();

        Optional<List<String>> permanent();
    }
}
