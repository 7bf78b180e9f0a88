package dev.deferred.http;

import dev.deferred.core.Tier;
import java.util.List;
import java.util.Map;

/** The tiers from the smallest to the largest. */
record WaitingTiers(List<WaitingTier> tiers) {
    /**
     * One tier.
     *
     * @param tier its name, such as {@code 30m}
     * @param ttlMs how long it holds a task, in milliseconds
     * @param waiting how many tasks wait in it
     */
    record WaitingTier(String tier, long ttlMs, long waiting) {}

    static WaitingTiers of(Map<Tier, Long> waiting) {
        return new WaitingTiers(waiting.entrySet().stream()
                .map(entry ->
                        new WaitingTier(entry.getKey().name(), entry.getKey().millis(), entry.getValue()))
                .toList());
    }
}
