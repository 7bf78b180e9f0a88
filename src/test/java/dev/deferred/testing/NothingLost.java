package dev.deferred.testing;

import java.util.List;
import java.util.function.Predicate;

/**
 * Every task that was answered 202 has come out: at a destination or in the parking queue.
 *
 * @param destroyed how many more may be missing, because somebody deleted the queue in which they waited
 * @param destroyedOnTheWay tasks that may be missing besides, because they were being handed to that queue just then: the
 *     broker confirms such a message, counts it nowhere, and has it no more
 */
public record NothingLost(Evidence evidence, int destroyed, Predicate<Produced> destroyedOnTheWay)
        implements Guarantee {
    public NothingLost(Evidence evidence) {
        this(evidence, 0, task -> false);
    }

    @Override
    public void check() {
        List<Produced> missing =
                evidence.missing().stream().filter(destroyedOnTheWay.negate()).toList();
        if (missing.size() > destroyed) {
            Guarantee.noneMay(
                    "were answered 202 and have not come out",
                    missing.stream().map(Produced::toString).toList());
        }
    }
}
