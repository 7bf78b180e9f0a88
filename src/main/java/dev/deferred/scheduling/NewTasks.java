package dev.deferred.scheduling;

import dev.deferred.core.Delays;
import dev.deferred.core.Destination;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import dev.deferred.core.TaskType;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Makes tasks of what callers ask for, within the limits. */
@ApplicationScoped
public class NewTasks {
    private final Duration maxDelay;
    private final long maxPayload;
    private final Destinations destinations;
    private final Clock clock;
    private final RandomGenerator random = new SecureRandom();

    @Inject
    NewTasks(SchedulingConfig config, Destinations destinations, Clock clock) {
        this.maxDelay = config.maxDelay();
        this.maxPayload = config.maxPayload().asLongValue();
        this.destinations = destinations;
        this.clock = clock;
    }

    /** A new id, which sorts by time. */
    public TaskId newId() {
        return TaskId.generate(clock.millis(), random);
    }

    /**
     * A task that is due after a delay.
     *
     * @param delay 0 to {@code deferred.max-delay}
     * @throws InvalidTask naming the field, the limit and the fix
     */
    public Task after(TaskId id, String type, Duration delay, Payload payload) {
        long now = clock.millis();
        if (delay.isNegative()) {
            throw new InvalidTask("delay", "delay is negative; it must be 0s or more");
        }
        requireWithinMax("delay", delay);
        return task(id, type, now, now + delay.toMillis(), payload);
    }

    /**
     * A task that is due at an instant; at once, and marked late, when that is past.
     *
     * @param at at most {@code deferred.max-delay} from now; a fraction of a millisecond is rounded up
     * @throws InvalidTask naming the field, the limit and the fix
     */
    public Task at(TaskId id, String type, Instant at, Payload payload) {
        long now = clock.millis();
        Duration delay = Duration.between(Instant.ofEpochMilli(now), at);
        requireWithinMax("at", delay);
        if (at.isBefore(Instant.EPOCH)) {
            throw new InvalidTask("at", "at is before 1970; give an instant from then on");
        }
        return task(id, type, now, Delays.millisRoundedUp(Duration.between(Instant.EPOCH, at)), payload);
    }

    /**
     * The task with a destination that its caller chose.
     *
     * @throws InvalidTask when that is not allowed
     */
    public Task to(Destination asked, Task task) {
        try {
            return task.to(destinations.require(asked));
        } catch (IllegalArgumentException e) {
            throw new InvalidTask("destination", e.getMessage());
        }
    }

    private void requireWithinMax(String field, Duration delay) {
        if (delay.compareTo(maxDelay) > 0) {
            throw new InvalidTask(
                    field,
                    field + " is further away than " + Delays.format(maxDelay)
                            + ", the limit deferred.max-delay; choose an earlier time or raise the limit");
        }
    }

    private Task task(TaskId id, String type, long now, long dueAt, Payload payload) {
        try {
            TaskType.require(type);
        } catch (IllegalArgumentException e) {
            throw new InvalidTask("type", e.getMessage());
        }
        if (payload.bytes().length > maxPayload) {
            throw new InvalidTask(
                    "payload",
                    "payload has " + payload.bytes().length + " bytes; the limit deferred.max-payload is " + maxPayload
                            + " bytes; store large content elsewhere and send a reference");
        }
        return Task.first(id, type, now, dueAt, payload);
    }
}
