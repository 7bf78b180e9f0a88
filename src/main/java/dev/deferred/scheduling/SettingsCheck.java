package dev.deferred.scheduling;

import dev.deferred.core.Delays;
import dev.deferred.core.Excerpt;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.EnvConfigSource;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Refuses to start with settings outside their documented ranges, in words: what was expected, what was found, what to do. */
@ApplicationScoped
class SettingsCheck {
    private static final int FIRST_OF_ALL = 1;
    static final Set<String> KNOWN = new TreeSet<>(Set.of(
            "deferred.tiers",
            "deferred.prefix",
            "deferred.queue-type",
            "deferred.declare",
            "deferred.delay-headers",
            "deferred.destinations",
            "deferred.max-delay",
            "deferred.max-payload",
            "deferred.send-timeout",
            "deferred.max-in-flight",
            "deferred.gate-prefetch",
            "deferred.shutdown-grace",
            "deferred.retry.max-attempts",
            "deferred.retry.delay",
            "deferred.retry.factor",
            "deferred.retry.max-delay",
            "deferred.retry.jitter",
            "deferred.retry.permanent",
            "deferred.retry.max-age",
            "deferred.retry.types",
            "deferred.work.concurrency",
            "deferred.work.prefetch",
            "deferred.work.time-limit"));
    private static final Pattern OF_TYPE = Pattern.compile(
            "deferred\\.retry\\.types\\.(\".+\"|[^.]+)\\.(max-attempts|delay|factor|max-delay|jitter|permanent(\\[\\d+])?)");
    private static final long LARGEST_PAYLOAD = 8L * 1024 * 1024;
    private static final int LONGEST_NAME = 255;
    private static final int MOST_PREFETCH = 65_535;

    void check(@Observes @Priority(FIRST_OF_ALL) StartupEvent event, SchedulingConfig config, Config all) {
        known(all);
        check(config);
    }

    /**
     * Refuses a setting that does not exist, such as a misspelt one. Environment variables are left out: Kubernetes makes
     * {@code DEFERRED_PORT} and the like for a service named deferred.
     *
     * @throws ConfigurationException naming it
     */
    static void known(Config all) {
        for (ConfigSource source : all.getConfigSources()) {
            if (!(source instanceof EnvConfigSource)) {
                source.getPropertyNames().stream()
                        .filter(name -> name.startsWith("deferred.")
                                && !KNOWN.contains(name)
                                && !OF_TYPE.matcher(name).matches())
                        .findFirst()
                        .ifPresent(name -> {
                            throw new ConfigurationException(name + " is not a setting. The settings are " + KNOWN
                                    + ". Correct its name in the configuration.");
                        });
            }
        }
    }

    /**
     * Checks every setting that has a range.
     *
     * @throws ConfigurationException naming the first setting that is outside
     */
    static void check(SchedulingConfig config) {
        config.delayHeaders().forEach(SettingsCheck::delayHeader);
        number("deferred.max-payload", config.maxPayload().asLongValue(), 0, LARGEST_PAYLOAD);
        number("deferred.max-in-flight", config.maxInFlight(), 1, 100_000);
        number("deferred.gate-prefetch", config.gatePrefetch(), 1, MOST_PREFETCH);
        number("deferred.work.concurrency", config.work().concurrency(), 1, MOST_PREFETCH);
        number("deferred.work.prefetch", config.work().prefetch(), config.work().concurrency(), MOST_PREFETCH);
        duration("deferred.send-timeout", config.sendTimeout(), Duration.ofMillis(100), Duration.ofSeconds(30));
        duration("deferred.shutdown-grace", config.shutdownGrace(), Duration.ZERO, Duration.ofMinutes(10));
        duration("deferred.work.time-limit", config.work().timeLimit(), Duration.ofMillis(1), Duration.ofMinutes(30));
    }

    private static void delayHeader(String found) {
        String name = found.strip();
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > LONGEST_NAME || name.startsWith("deferred-")) {
            throw new ConfigurationException("deferred.delay-headers must have names of 1 to " + LONGEST_NAME
                    + " bytes that don't begin with \"deferred-\". One is " + Excerpt.quoted(name)
                    + ". Change it in the configuration.");
        }
    }

    private static void number(String name, long found, long least, long most) {
        if (found < least || found > most) {
            throw outside(name, String.valueOf(found), String.valueOf(least), String.valueOf(most));
        }
    }

    private static void duration(String name, Duration found, Duration least, Duration most) {
        if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
            throw outside(name, Delays.format(found), Delays.format(least), Delays.format(most));
        }
    }

    private static ConfigurationException outside(String name, String found, String least, String most) {
        return new ConfigurationException(name + " must be from " + least + " to " + most + ". It is " + found
                + ". Change it in the configuration.");
    }
}
