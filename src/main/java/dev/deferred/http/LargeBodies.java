package dev.deferred.http;

import dev.deferred.http.RequestRefused.Fault;
import dev.deferred.scheduling.SchedulingConfig;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** Refuses a body by its declared length before a byte of it is read, on every path. */
@ApplicationScoped
class LargeBodies {
    /** What a body may have beside a task's payload, in bytes. */
    private static final int ENVELOPE = 16_384;

    /** Before Quarkus checks its own limit, which it answers without a body. */
    private static final int EARLY = 1_000;

    private final long maxBytes;
    private final Refusals refusals;

    @Inject
    LargeBodies(SchedulingConfig config, Refusals refusals) {
        this.maxBytes = config.maxPayload().asLongValue() + ENVELOPE;
        this.refusals = refusals;
    }

    /** The largest body that is read, in bytes. */
    long maxBytes() {
        return maxBytes;
    }

    /** How a body that is larger is refused. */
    RequestRefused refusal() {
        return new RequestRefused(
                Fault.TOO_LARGE,
                "the body has more than " + maxBytes + " bytes: deferred.max-payload, and " + ENVELOPE
                        + " for what stands beside it. Store large content elsewhere and send a reference");
    }

    void guard(@Observes Filters filters) {
        filters.register(this::refuseLarge, EARLY);
    }

    private void refuseLarge(RoutingContext context) {
        String declared = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        if (declared == null || Long.parseLong(declared) <= maxBytes) {
            context.next();
            return;
        }
        refusals.count(Refusals.code(Fault.TOO_LARGE));
        HttpProblem problem = Problems.problem(
                        Fault.TOO_LARGE.status(), refusal().getMessage())
                .build();
        Lingering.close(context.request(), context.vertx());
        context.response()
                .setStatusCode(problem.getStatusCode())
                .putHeader(HttpHeaders.CONTENT_TYPE, HttpProblem.MEDIA_TYPE.toString())
                .end(JsonObject.of(
                                "type", problem.getType().toString(),
                                "status", problem.getStatusCode(),
                                "title", problem.getTitle(),
                                "detail", problem.getDetail())
                        .encode());
    }
}
