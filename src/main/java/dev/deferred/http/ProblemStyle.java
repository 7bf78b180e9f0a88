package dev.deferred.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;

/** Gives the problems that Quarkus finds, such as an unknown path, the style of ours: what to do, and no echo of the request. */
@ApplicationScoped
class ProblemStyle implements ProblemPostProcessor {
    private static final String DESCRIPTION = "/q/openapi describes what there is";

    /** The detail of every 404 for want of a path. */
    static final String NOTHING_HERE = "there is nothing at this path; " + DESCRIPTION;

    @Override
    public HttpProblem apply(HttpProblem problem, ProblemContext context) {
        int status = problem.getStatusCode();
        String detail =
                context.cause instanceof HttpProblem ? problem.getDetail() : detail(status, problem.getDetail());
        HttpProblem.Builder styled = Problems.problem(status, detail);
        problem.getParameters().forEach(styled::with);
        problem.getHeaders().forEach(styled::withHeader);
        return styled.build();
    }

    private static String detail(int status, String found) {
        return switch (status) {
            case 404 -> NOTHING_HERE;
            case 405 -> "this path does not know this method; " + DESCRIPTION;
            case 406 -> "the answer is JSON; send Accept: application/json, or no Accept at all";
            case 415 -> "the body must be JSON in UTF-8; send it with Content-Type: application/json";
            case 500 -> "the service failed; its log says how";
            default -> found == null ? "the request can't be answered; " + DESCRIPTION : found;
        };
    }
}
