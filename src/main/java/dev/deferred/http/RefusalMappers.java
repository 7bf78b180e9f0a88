package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import dev.deferred.amqp.PublishFailure.Reason;
import dev.deferred.scheduling.InvalidTask;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns every expected refusal into its answer. The one place that decides which status a refusal has. */
class RefusalMappers {
    private static final int BAD_REQUEST = 400;
    private static final int TOO_LARGE = 413;
    private static final int UNAVAILABLE = 503;

    private final Refusals refusals;

    @Inject
    RefusalMappers(Refusals refusals) {
        this.refusals = refusals;
    }

    @ServerExceptionMapper
    Response refused(RequestRefused refused) {
        RequestRefused.Fault fault = refused.fault();
        refusals.count(Refusals.code(fault));
        HttpProblem.Builder problem = Problems.problem(fault.status(), refused.getMessage());
        if (fault.status() == UNAVAILABLE) {
            problem.with("reason", Refusals.code(fault)).withHeader("Retry-After", 5);
        }
        return problem.build().toResponse();
    }

    @ServerExceptionMapper
    Response invalid(InvalidTask invalid) {
        boolean tooLarge = invalid.field().equals("payload");
        refusals.count(tooLarge ? Refusals.code(RequestRefused.Fault.TOO_LARGE) : Refusals.INVALID);
        return Problems.problem(tooLarge ? TOO_LARGE : BAD_REQUEST, invalid.getMessage())
                .with("field", invalid.field())
                .build()
                .toResponse();
    }

    @ServerExceptionMapper
    Response notScheduled(NotScheduled task) {
        return problem(task.failure()).with("id", task.id().value()).build().toResponse();
    }

    @ServerExceptionMapper
    Response notConfirmed(PublishFailure failure) {
        return problem(failure).build().toResponse();
    }

    @ServerExceptionMapper
    Response notTakenOut(NotTakenOut parked) {
        Reason reason = parked.failure().reason();
        refusals.count(Refusals.code(reason));
        String what = reason.mayBeHeld()
                ? "the broker did not confirm in time that it holds the task: it may run, and is still parked"
                : "the broker does not take part: what is parked is still parked";
        return Problems.problem(
                        UNAVAILABLE, what + ". Repeat the request when /q/health/ready says that the broker is well")
                .with("reason", Refusals.code(reason))
                .withHeader("Retry-After", retryAfterSeconds(reason))
                .build()
                .toResponse();
    }

    private HttpProblem.Builder problem(PublishFailure failure) {
        Reason reason = failure.reason();
        refusals.count(Refusals.code(reason));
        if (reason == Reason.INVALID) {
            return Problems.problem(BAD_REQUEST, failure.getMessage()).with("reason", Refusals.code(reason));
        }
        return Problems.problem(UNAVAILABLE, detail(reason))
                .with("reason", Refusals.code(reason))
                .withHeader("Retry-After", retryAfterSeconds(reason));
    }

    /** What is known of the task, and the next step; not where the broker is and what it said, which is for the operator. */
    private static String detail(Reason reason) {
        return switch (reason) {
            case INVALID -> "the task breaks a limit of the broker; change the request";
            case OUTCOME_UNKNOWN ->
                "the task was sent, and the broker neither confirmed nor refused it in time: it may or may not run. A request"
                        + " repeated with the same Idempotency-Key keeps its task id, by which a handler can drop a second run";
            case OVERLOADED ->
                "too many tasks wait for the broker's confirm; this one was not sent. Repeat the request, more slowly";
            case BLOCKED ->
                "the broker takes no messages, for want of memory or disk space; the task was not sent. Repeat the request"
                        + " when that is mended";
            case BROKER_AWAY ->
                "the broker can't be reached; the task was not sent. Repeat the request when /q/health/ready says that it is"
                        + " back";
            case REFUSED ->
                "the broker refused the task and does not hold it. Repeat the request; look at the broker if that goes on";
            case UNROUTABLE ->
                "the task's queue is missing, so the broker does not hold it. Repeat the request; if that goes on, /q/health/ready"
                        + " says what is missing";
        };
    }

    private static int retryAfterSeconds(Reason reason) {
        return reason == Reason.OVERLOADED || reason == Reason.OUTCOME_UNKNOWN ? 1 : 5;
    }
}
