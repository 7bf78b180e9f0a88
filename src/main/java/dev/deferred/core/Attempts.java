package dev.deferred.core;

import java.util.Objects;
import java.util.Optional;

/**
 * How often a task was tried. Of its failures only the first and the last are kept, so that it does not grow with them.
 *
 * @param next which attempt is next, from 1
 * @param crashes in how many of them the process went down, as far as can be told
 * @param first the first failure
 * @param last the last failure
 */
public record Attempts(int next, int crashes, Optional<Failure> first, Optional<Failure> last) {
    /** Before the first attempt. */
    public static final Attempts NONE = new Attempts(1, 0, Optional.empty(), Optional.empty());

    public Attempts {
        if (next < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, not from " + next);
        }
        if (crashes < 0) {
            throw new IllegalArgumentException("crashes are counted from 0, not from " + crashes);
        }
        Objects.requireNonNull(first);
        Objects.requireNonNull(last);
    }

    /** After a failure of the next attempt. */
    public Attempts failed(Failure failure) {
        return new Attempts(next, crashes, first.or(() -> Optional.of(failure)), Optional.of(failure));
    }

    /** After the next attempt, whatever became of it. The count stays at its largest value rather than overflow. */
    public Attempts advanced() {
        return new Attempts(saturated(next), crashes, first, last);
    }

    /** After a crash of the process. */
    public Attempts crashed() {
        return new Attempts(next, saturated(crashes), first, last);
    }

    private static int saturated(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }
}
