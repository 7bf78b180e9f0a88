package dev.deferred.testing;

import dev.deferred.testing.Produced.Answer;
import java.time.Duration;
import java.util.List;

/**
 * Every request was answered by a 202 or a well-formed 503 within the limit, or its connection ended with the service.
 *
 * @param limit longest time from request to answer allowed
 */
public record AnsweredInTime(Evidence evidence, Duration limit) implements Guarantee {
    @Override
    public void check() {
        List<String> offenders = evidence.produced().stream()
                .filter(this::breaksTheLimit)
                .map(Produced::toString)
                .toList();
        Guarantee.noneMay("were not answered as they should be within " + limit.toMillis() + " ms", offenders);
    }

    private boolean breaksTheLimit(Produced task) {
        return task.answer() == Answer.HUNG
                || task.answer() == Answer.UNEXPECTED
                || task.took().compareTo(limit) > 0;
    }
}
