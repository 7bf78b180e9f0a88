package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Counts what was refused. The reasons are a closed set, there from the start, so that a rate can be taken of each. */
@ApplicationScoped
class Refusals {
    static final String INVALID = "invalid";

    private final Map<String, Counter> counters = new HashMap<>();

    @Inject
    Refusals(MeterRegistry registry) {
        add(registry, INVALID);
        for (RequestRefused.Fault fault : RequestRefused.Fault.values()) {
            add(registry, code(fault));
        }
        for (PublishFailure.Reason reason : PublishFailure.Reason.values()) {
            add(registry, code(reason));
        }
    }

    private void add(MeterRegistry registry, String reason) {
        counters.computeIfAbsent(reason, code -> Counter.builder("deferred.refused")
                .description("Requests and tasks that were not accepted")
                .tag("reason", code)
                .register(registry));
    }

    /** A reason as callers and metrics see it, such as {@code broker-away}. */
    static String code(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    void count(String reason) {
        counters.get(reason).increment();
    }
}
