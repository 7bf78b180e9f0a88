package dev.deferred.testing;

import dev.deferred.testing.Seen.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** No task has arrived at a destination before it was due, whatever was answered for it. */
public record NeverEarly(Evidence evidence) implements Guarantee {
    @Override
    public void check() {
        List<String> early = new ArrayList<>();
        for (Produced task : evidence.produced()) {
            for (Seen delivery : evidence.sightings(task.ref())) {
                if (delivery.place() == Place.DESTINATION && delivery.when().isBefore(task.dueAt())) {
                    early.add(Duration.between(delivery.when(), task.dueAt()).toMillis() + " ms early: " + task);
                }
            }
        }
        Guarantee.noneMay("ran before they were due", early);
    }
}
