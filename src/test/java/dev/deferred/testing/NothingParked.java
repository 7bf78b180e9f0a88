package dev.deferred.testing;

import dev.deferred.testing.Seen.Place;
import java.util.List;

/** No task whose destination was there all the time has ended in the parking queue: a fault is no reason to park. */
public record NothingParked(Evidence evidence) implements Guarantee {
    @Override
    public void check() {
        List<String> parked = evidence.produced().stream()
                .flatMap(task -> evidence.sightings(task.ref()).stream())
                .filter(delivery -> delivery.place() == Place.PARKED)
                .map(Seen::toString)
                .toList();
        Guarantee.noneMay("were parked", parked);
    }
}
