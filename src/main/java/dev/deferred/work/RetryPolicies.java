package dev.deferred.work;

import dev.deferred.core.Excerpt;
import dev.deferred.core.RetryPolicy;
import dev.deferred.scheduling.RetryConfig;
import dev.deferred.scheduling.SchedulingConfig;
import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The retry policy of each type: as configured for all, changed by its handler, changed by what is configured for the type. */
@ApplicationScoped
class RetryPolicies {
    private final RetryConfig config;
    private final RetryPolicy standard;

    @Inject
    RetryPolicies(SchedulingConfig all) {
        this.config = all.retry();
        this.standard = checked(
                "deferred.retry.",
                () -> new RetryPolicy(
                        config.maxAttempts(),
                        config.delay(),
                        config.factor(),
                        config.maxDelay(),
                        config.jitter(),
                        names(config.permanent().orElse(List.of()))));
    }

    /**
     * The policy for a handler's tasks.
     *
     * @throws ConfigurationException when what is configured is out of range, for an operator to read
     */
    RetryPolicy of(TaskHandler<?> handler) {
        RetryPolicy asked = handler.retryPolicy(standard);
        RetryConfig.OfType own = config.types().get(handler.type());
        return own == null
                ? asked
                : checked("deferred.retry.types.\"" + handler.type() + "\".", () -> changed(asked, own));
    }

    private static RetryPolicy changed(RetryPolicy policy, RetryConfig.OfType own) {
        return new RetryPolicy(
                own.maxAttempts().orElse(policy.maxAttempts()),
                own.delay().orElse(policy.delay()),
                own.factor().orElse(policy.factor()),
                own.maxDelay().orElse(policy.maxDelay()),
                own.jitter().orElse(policy.jitter()),
                own.permanent().map(RetryPolicies::names).orElse(policy.permanent()));
    }

    private static Set<String> names(List<String> listed) {
        return listed.stream().map(String::strip).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Refuses settings for a type that has no handler, such as a misspelt one.
     *
     * @throws ConfigurationException naming it
     */
    void requireHandlers(Set<String> types) {
        config.types().keySet().stream()
                .filter(type -> !types.contains(type))
                .findFirst()
                .ifPresent(type -> {
                    throw new ConfigurationException(
                            "deferred.retry.types.\"" + type + "\" is set, but no handler has the type \""
                                    + type + "\"; there are handlers for " + types
                                    + ". Correct the type in the configuration, in quotation marks when it has dots.");
                });
    }

    private static RetryPolicy checked(String where, Supplier<RetryPolicy> policy) {
        try {
            RetryPolicy sound = policy.get();
            sound.permanent().forEach(name -> requireClass(where, name));
            return sound;
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(where + e.getMessage() + ". Change it in the configuration.");
        }
    }

    /** A misspelt exception would never be met. A native image does not know the classes by name. */
    private static void requireClass(String where, String name) {
        if (ImageMode.current() != ImageMode.JVM) {
            return;
        }
        try {
            Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new ConfigurationException(where + "permanent names " + Excerpt.quoted(name)
                    + ", but there is no such class. Write the class's full name, such as java.io.IOException.");
        }
    }
}
