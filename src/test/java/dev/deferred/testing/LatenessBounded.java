package dev.deferred.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Every accepted task has first arrived within a bound after it was due or, when a fault was at work while it was under
 * way, after that fault had ended. What has not arrived at all is the matter of {@link NothingLost}.
 *
 * @param bound longest lateness allowed
 */
public record LatenessBounded(Evidence evidence, Duration bound) implements Guarantee {
    @Override
    public void check() {
        List<String> late = new ArrayList<>();
        for (Produced task : evidence.answered(Produced.Answer.ACCEPTED)) {
            evidence.sightings(task.ref()).stream().limit(1).forEach(first -> {
                Duration lateness = Duration.between(mayCountFrom(task, first), first.when());
                if (lateness.compareTo(bound) > 0) {
                    late.add(lateness.toMillis() + " ms late: " + task + " " + first);
                }
            });
        }
        Guarantee.noneMay("came later than " + bound.toMillis() + " ms", late);
    }

    private Instant mayCountFrom(Produced task, Seen first) {
        return evidence.calmAfter(task.sentAt(), first.when())
                .filter(calm -> calm.isAfter(task.dueAt()))
                .orElse(task.dueAt());
    }
}
