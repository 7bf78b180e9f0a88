package dev.deferred.testing;

import java.util.List;

/**
 * Every delivery says which attempt it is, from 1 and not above a bound: a fault is not an attempt.
 *
 * @param most highest attempt allowed, at least 1
 */
public record AttemptsBounded(Evidence evidence, long most) implements Guarantee {
    @Override
    public void check() {
        List<String> outside = evidence.sightings().stream()
                .filter(delivery -> delivery.attempt() < 1 || delivery.attempt() > most)
                .map(Seen::toString)
                .toList();
        Guarantee.noneMay("have an attempt outside 1 to " + most, outside);
    }
}
