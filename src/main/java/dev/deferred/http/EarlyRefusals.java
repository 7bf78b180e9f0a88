package dev.deferred.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Answers requests that are refused before any resource sees them. */
@ApplicationScoped
class EarlyRefusals {
    private final Refusals refusals;

    @Inject
    EarlyRefusals(Refusals refusals) {
        this.refusals = refusals;
    }

    /** Answers with the problem, and closes the connection: what else comes on it is not to be trusted, or not wanted. */
    void refuse(RoutingContext context, RequestRefused refused) {
        refusals.count(Refusals.code(refused.fault()));
        answer(context, refused.fault().status(), refused.getMessage());
    }

    /** The same, uncounted. */
    void answer(RoutingContext context, int status, String detail) {
        HttpProblem problem = Problems.problem(status, detail).build();
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
