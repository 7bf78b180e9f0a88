package dev.deferred.work;

import dev.deferred.amqp.ParkReason;
import dev.deferred.core.Attempts;
import dev.deferred.core.Delays;
import dev.deferred.core.Excerpt;
import dev.deferred.core.Failure;
import dev.deferred.core.Outcome;
import dev.deferred.core.RetryPolicy;
import dev.deferred.core.Task;
import dev.deferred.scheduling.Names;
import dev.deferred.scheduling.SchedulingConfig;
import io.smallrye.mutiny.TimeoutException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jboss.logging.Logger;

/** The one place that decides what becomes of a task after its handler, or after a crash. */
@ApplicationScoped
class Verdicts {
    private static final Logger LOG = Logger.getLogger(Verdicts.class);

    /** A task that was in hand at so many crashes runs alone, so that only the one that causes them is blamed for them. */
    private static final int CRASHES_UNTIL_ALONE = 2;

    private final Names names;
    private final Duration maxDelay;
    private final Optional<Duration> maxAge;
    private final Clock clock;
    private final RandomGenerator random = new SecureRandom();

    @Inject
    Verdicts(SchedulingConfig config, Clock clock) {
        this.names = new Names(config.prefix());
        this.maxDelay = config.maxDelay();
        this.maxAge = config.retry().maxAge();
        this.clock = clock;
    }

    /** After a handler that ended with an outcome. */
    Verdict after(Outcome outcome, Task task, RetryPolicy policy) {
        return outcome.decide(new Outcome.Cases<>() {
            @Override
            public Verdict done() {
                return new Verdict.Finish();
            }

            @Override
            public Verdict again(Duration delay) {
                if (delay.compareTo(maxDelay) > 0) {
                    return setAside(
                            task,
                            ParkReason.FAILED,
                            "its handler wants to run again after a delay longer than " + Delays.format(maxDelay)
                                    + ", the limit deferred.max-delay");
                }
                return replan(task.tried(Attempts.NONE), names.retry(), delay);
            }

            @Override
            public Verdict retry(String reason) {
                return failed(new Failure(reason, clock.millis()), task, policy, ParkReason.FAILED);
            }

            @Override
            public Verdict park(String reason) {
                return setAside(task, ParkReason.ASKED, reason);
            }
        });
    }

    /** After a handler that failed or took too long. */
    Verdict after(Throwable thrown, Task task, RetryPolicy policy) {
        if (thrown instanceof TimeoutException) {
            return failed(
                    new Failure("the handler took longer than deferred.work.time-limit", clock.millis()),
                    task,
                    policy,
                    ParkReason.TIMED_OUT);
        }
        LOG.debugf(
                thrown,
                "the handler of task %s failed",
                Excerpt.quoted(task.id().value()));
        Failure failure = Failure.of(thrown, clock.millis());
        return policy.isPermanent(thrown)
                ? setAside(task.tried(task.attempts().failed(failure)), ParkReason.FAILED, failure.text())
                : failed(failure, task, policy, ParkReason.FAILED);
    }

    private Verdict failed(Failure failure, Task task, RetryPolicy policy, ParkReason reason) {
        Task failed = task.tried(task.attempts().failed(failure));
        if (!policy.allowsAnotherAfter(task.attempt())) {
            return setAside(
                    failed,
                    reason,
                    "attempt " + task.attempt() + " of " + policy.maxAttempts() + " failed: " + failure.text());
        }
        Duration wait = policy.delayAfter(task.attempt(), random);
        Verdict next = replan(failed.tried(failed.attempts().advanced()), names.retry(), wait);
        if (next instanceof Verdict.Replan) {
            LOG.warnf(
                    "attempt %d of %d of task %s (%s) failed, the next is in %s: %s",
                    task.attempt(),
                    policy.maxAttempts(),
                    Excerpt.quoted(task.id().value()),
                    task.type(),
                    Delays.format(wait),
                    failure.text());
        }
        return next;
    }

    /**
     * After a process that had the task in hand went down, or lost its connection, and left no word whether its handler had
     * begun: that counts as an attempt. A task that was in hand at several crashes, or has one attempt left, runs alone from
     * then on: if the process goes down again, it was this task.
     *
     * @param alone whether it was alone in hand, so that its handler had begun
     */
    Verdict afterCrash(Task task, RetryPolicy policy, boolean alone) {
        Failure failure =
                new Failure("the process that had the task in hand went down or lost its connection", clock.millis());
        Attempts crashed = task.attempts().failed(failure).crashed();
        boolean another = policy.allowsAnotherAfter(task.attempt());
        if (alone && !another) {
            return setAside(
                    task.tried(crashed),
                    ParkReason.CRASHED,
                    "the process went down or lost its connection " + crashed.crashes()
                            + " times with the task in hand, the last time with no other");
        }
        Attempts next = another ? crashed.advanced() : crashed;
        if (crashed.crashes() >= CRASHES_UNTIL_ALONE || next.next() >= policy.maxAttempts()) {
            return replan(task.tried(next), names.suspects(), policy.delayAfter(task.attempt(), random));
        }
        return replan(task.tried(next), names.retry(), Duration.ZERO);
    }

    /** For a task that has not begun here and shall run elsewhere. */
    Verdict handBack(Task task) {
        boolean suspect = task.destination().exchange().equals(Optional.of(names.suspects()));
        return new Verdict.Replan(suspect ? task : returning(task), clock.millis());
    }

    /** For a task that this service has no handler for. */
    Verdict unknownType(Task task, Set<String> types) {
        return setAside(
                task,
                ParkReason.UNKNOWN_TYPE,
                "this service has no handler of type \"" + task.type() + "\"; it has " + types);
    }

    /** For a task that can't go on. */
    Verdict setAside(Task task, ParkReason reason, String detail) {
        return new Verdict.SetAside(returning(task), reason, detail);
    }

    private Verdict replan(Task task, String exchange, Duration delay) {
        long now = clock.millis();
        long dueAt = now + delay.toMillis();
        if (maxAge.isPresent()
                && dueAt - task.scheduledAtMillis() > maxAge.get().toMillis()) {
            return setAside(
                    task,
                    ParkReason.TOO_OLD,
                    "it would run again when older than " + Delays.format(maxAge.get())
                            + ", the limit deferred.retry.max-age");
        }
        return new Verdict.Replan(task.to(task.destination().through(exchange)).dueAt(dueAt), now);
    }

    /** Whatever comes back from here comes back to the normal queue only: other services had it once. */
    private Task returning(Task task) {
        return task.to(task.destination().through(names.retry()));
    }
}
