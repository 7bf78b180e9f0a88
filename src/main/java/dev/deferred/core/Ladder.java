package dev.deferred.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The configured tiers, and the rule that pays any delay with them: take the largest tier that fits into what is left,
 * look again when the task comes out of it, and hold the rest that is smaller than every tier.
 *
 * <p>Each step is computed from the time that is left, never from a plan made earlier: the lateness of a hop, or a broker
 * that was down, shortens the next step and does not add up.
 */
public final class Ladder {
    private final TreeMap<Long, Tier> byMillis = new TreeMap<>();

    /**
     * A ladder of these tiers.
     *
     * @param tiers one or more tiers in any order; equal delays count once
     * @throws IllegalArgumentException when there is no tier
     */
    public Ladder(List<Tier> tiers) {
        for (Tier tier : tiers) {
            byMillis.put(tier.millis(), tier);
        }
        if (byMillis.isEmpty()) {
            throw new IllegalArgumentException("a ladder needs at least one tier, such as 1s");
        }
    }

    /**
     * Reads a list such as {@code 1s,30s,5m}.
     *
     * @throws IllegalArgumentException naming the first entry that is no tier
     */
    public static Ladder parse(String commaSeparated) {
        List<Tier> tiers = new ArrayList<>();
        for (String entry : commaSeparated.split(",", -1)) {
            try {
                tiers.add(Tier.of(Delays.parse(entry.strip())));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "the tier \"" + entry.strip() + "\" can't be used: " + e.getMessage(), e);
            }
        }
        return new Ladder(tiers);
    }

    /**
     * The next step of a task.
     *
     * @param leftMillis how long until the task is due, in milliseconds; 0 or less when it is due
     */
    public Step next(long leftMillis) {
        if (leftMillis <= 0) {
            return new Step.Release();
        }
        Map.Entry<Long, Tier> largestThatFits = byMillis.floorEntry(leftMillis);
        return largestThatFits == null ? new Step.Hold(leftMillis) : new Step.Hop(largestThatFits.getValue());
    }

    /** The tiers from the smallest to the largest. */
    public List<Tier> tiers() {
        return List.copyOf(byMillis.values());
    }
}
