package dev.deferred.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Every accepted task has first arrived within a bound after it was due or, when a fault was at work while it was under
 * way, after that fault had ended and a time for recovery had passed. What has not arrived at all is the matter of {@link
 * NothingLost}.
 *
 * @param bound longest lateness allowed
 * @param recovery how long after its end a fault is still taken to be at work
 */
public record LatenessBounded(Evidence evidence, Duration bound, Duration recovery) implements Guarantee {
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
        Guarantee.noneMay("came more than " + bound.toMillis() + " ms late", late);
    }

    private Instant mayCountFrom(Produced task, Seen first) {
        return evidence.calmAfter(task.sentAt().minus(recovery), first.when())
                .map(end -> end.plus(recovery))
                .filter(calm -> calm.isAfter(task.dueAt()))
                .orElse(task.dueAt());
    }
}
