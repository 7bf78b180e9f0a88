package dev.deferred.core;

import java.time.Duration;
import java.util.Objects;

/** What a handler made of a task. A thrown exception or a failed {@code Uni} is a failure: the same as {@link Retry}. */
public sealed interface Outcome {
    /** What to do about each outcome; whoever decides implements every case. */
    interface Cases<R> {
        R done();

        R again(Duration delay);

        R retry(String reason);

        R park(String reason);
    }

    /** The one case that this outcome is. */
    <R> R decide(Cases<R> cases);

    /** The work is done: the task is acknowledged and gone. */
    record Done() implements Outcome {
        @Override
        public <R> R decide(Cases<R> cases) {
            return cases.done();
        }
    }

    /**
     * No failure, but there is more to do later, such as asking again in a minute. The attempts start over.
     *
     * @param delay 0 to {@code deferred.max-delay}
     */
    record Again(Duration delay) implements Outcome {
        public Again {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("the delay is " + delay + ", but must be 0 or more");
            }
        }

        @Override
        public <R> R decide(Cases<R> cases) {
            return cases.again(delay);
        }
    }

    /**
     * The work failed and may succeed later: the task runs again as its {@link RetryPolicy} says.
     *
     * @param reason why; it travels with the task, cut to {@value Failure#MOST_BYTES} bytes
     */
    record Retry(String reason) implements Outcome {
        public Retry {
            Objects.requireNonNull(reason);
        }

        @Override
        public <R> R decide(Cases<R> cases) {
            return cases.retry(reason);
        }
    }

    /**
     * The work can never succeed: the task is parked.
     *
     * @param reason why, for the person who will look at it; cut to 2,000 characters when parked
     */
    record Park(String reason) implements Outcome {
        public Park {
            Objects.requireNonNull(reason);
        }

        @Override
        public <R> R decide(Cases<R> cases) {
            return cases.park(reason);
        }
    }

    static Outcome done() {
        return new Done();
    }

    static Outcome again(Duration delay) {
        return new Again(delay);
    }

    static Outcome retry(String reason) {
        return new Retry(reason);
    }

    static Outcome park(String reason) {
        return new Park(reason);
    }
}
