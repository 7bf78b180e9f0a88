package dev.deferred.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;

/** Gives the problems that Quarkus finds, such as an unknown path, the style of ours: what to do, and no echo of the request. */
@ApplicationScoped
class ProblemStyle implements ProblemPostProcessor {
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final String DESCRIPTION = "/q/openapi describes what there is";

    /** The detail of every 404 for want of a path. */
    static final String NOTHING_HERE = "there is nothing at this path; " + DESCRIPTION;

    private final AllowedMethods allowed;

    @Inject
    ProblemStyle(AllowedMethods allowed) {
        this.allowed = allowed;
    }

    @Override
    public HttpProblem apply(HttpProblem problem, ProblemContext context) {
        int status = problem.getStatusCode();
        String detail =
                context.cause instanceof HttpProblem ? problem.getDetail() : detail(status, problem.getDetail());
        HttpProblem.Builder styled = Problems.problem(status, detail);
        problem.getParameters().forEach(styled::with);
        problem.getHeaders().forEach(styled::withHeader);
        if (status == METHOD_NOT_ALLOWED) {
            styled.withHeader(HttpHeaders.ALLOW, allowed.of(context.path));
        }
        return styled.build();
    }

    private static String detail(int status, String found) {
        return switch (status) {
            case 404 -> NOTHING_HERE;
            case METHOD_NOT_ALLOWED ->
                "this path does not know this method, only those in the header Allow; " + DESCRIPTION;
            case 406 -> "the answer is JSON; send Accept: application/json, or no Accept at all";
            case 415 -> "the body must be JSON in UTF-8; send it with Content-Type: application/json";
            case 500 -> "the service failed; its log says how";
            default -> found == null ? "the request can't be answered; " + DESCRIPTION : found;
        };
    }
}
