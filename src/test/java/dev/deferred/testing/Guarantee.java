package dev.deferred.testing;

import java.util.List;
import java.util.stream.Collectors;

/** A promise of the service that can be checked against what was seen. */
public interface Guarantee {
    /**
     * Judges the evidence.
     *
     * @throws AssertionError when the promise was broken, naming the first tasks for which it was
     */
    void check();

    /** Throws if there are offenders, naming how many and the first ten of them. */
    static void noneMay(String breakThePromise, List<String> offenders) {
        if (!offenders.isEmpty()) {
            throw new AssertionError(offenders.size() + " tasks " + breakThePromise + ", the first: "
                    + offenders.stream().limit(10).collect(Collectors.joining("\n  ", "\n  ", "")));
        }
    }
}
