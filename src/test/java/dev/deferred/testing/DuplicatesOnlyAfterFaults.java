package dev.deferred.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A task comes out twice only when a fault was at work while it was under way, and then under the same id, the one that
 * was answered.
 */
public record DuplicatesOnlyAfterFaults(Evidence evidence) implements Guarantee {
    @Override
    public void check() {
        List<String> offenders = new ArrayList<>();
        for (Produced task : evidence.produced()) {
            List<Seen> sightings = evidence.sightings(task.ref());
            Set<String> ids = sightings.stream().map(Seen::taskId).collect(Collectors.toSet());
            if (ids.size() > 1) {
                offenders.add("several ids: " + sightings);
            } else if (!ids.isEmpty()
                    && task.taskId().isPresent()
                    && !ids.contains(task.taskId().get())) {
                offenders.add("answered " + task.taskId().get() + ", came out as " + sightings);
            } else if (sightings.size() > 1
                    && !evidence.wasDisturbed(
                            task.sentAt(), sightings.get(sightings.size() - 1).when())) {
                offenders.add("twice without a fault: " + sightings);
            }
        }
        Guarantee.noneMay("came out more than once without reason or changed their id", offenders);
    }
}
