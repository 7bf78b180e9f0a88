package dev.deferred.http;

import dev.deferred.core.Tier;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The tiers from the smallest to the largest. */
record WaitingTiers(@Schema(required = true) List<WaitingTier> tiers) {
    /**
     * One tier.
     *
     * @param tier its name, such as {@code 30m}
     * @param ttlMs how long it holds a task, in milliseconds
     * @param waiting how many tasks wait in it
     */
    record WaitingTier(
            @Schema(examples = "30m", required = true) String tier,
            @Schema(description = "How long it holds a task, in milliseconds", examples = "1800000", required = true)
                    long ttlMs,
            @Schema(description = "How many tasks wait in it", examples = "12", required = true) long waiting) {}

    static WaitingTiers of(Map<Tier, Long> waiting) {
        return new WaitingTiers(waiting.entrySet().stream()
                .map(entry ->
                        new WaitingTier(entry.getKey().name(), entry.getKey().millis(), entry.getValue()))
                .toList());
    }
}
