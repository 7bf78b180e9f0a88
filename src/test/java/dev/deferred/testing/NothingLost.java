package dev.deferred.testing;

import java.util.List;

/**
 * Every task that was answered 202 has come out: at a destination or in the parking queue.
 *
 * @param mayBeMissing how many may be missing all the same, because somebody destroyed them where they waited, as by
 *     deleting the queue that held them
 */
public record NothingLost(Evidence evidence, int mayBeMissing) implements Guarantee {
    public NothingLost(Evidence evidence) {
        this(evidence, 0);
    }

    @Override
    public void check() {
        List<Produced> missing = evidence.missing();
        if (missing.size() > mayBeMissing) {
            Guarantee.noneMay(
                    "were answered 202 and have not come out",
                    missing.stream().map(Produced::toString).toList());
        }
    }
}
