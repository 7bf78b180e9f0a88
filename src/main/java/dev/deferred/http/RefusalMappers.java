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
        return Problems.problem(fault.status(), refused.getMessage()).build().toResponse();
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

    private HttpProblem.Builder problem(PublishFailure failure) {
        Reason reason = failure.reason();
        refusals.count(Refusals.code(reason));
        if (reason == Reason.INVALID) {
            return Problems.problem(BAD_REQUEST, failure.getMessage()).with("reason", Refusals.code(reason));
        }
        return Problems.problem(UNAVAILABLE, failure.getMessage() + ". " + nextStep(reason))
                .with("reason", Refusals.code(reason))
                .withHeader("Retry-After", retryAfterSeconds(reason));
    }

    private static String nextStep(Reason reason) {
        return switch (reason) {
            case OUTCOME_UNKNOWN ->
                "The task may or may not run. Repeat the request with the same Idempotency-Key: the task keeps its id, so"
                        + " that its handler can drop a second run";
            case OVERLOADED -> "The task was not sent. Repeat the request a little later, or more slowly";
            case BLOCKED -> "The task was not sent. Repeat the request when the broker has memory and disk space again";
            case BROKER_AWAY ->
                "The task was not sent. Repeat the request when the broker is back; /q/health/ready tells";
            case REFUSED -> "The task is not held. Repeat the request, and look at the broker if it goes on";
            case UNROUTABLE -> "The task is not held. Its queue is being made anew; repeat the request";
            case INVALID -> "Change the request";
        };
    }

    private static int retryAfterSeconds(Reason reason) {
        return reason == Reason.OVERLOADED || reason == Reason.OUTCOME_UNKNOWN ? 1 : 5;
    }
}
