package dev.deferred.http;

import dev.deferred.http.RequestRefused.Fault;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.Map;

/**
 * Refuses a request for its first line and its headers: too long, or not to be understood. The limits are below those of the HTTP
 * server (quarkus.http.limits), which answers without a word.
 */
@ApplicationScoped
class RequestHeads {
    /** The longest path and query, in bytes: what RFC 9110 asks everybody to take, and a little more. */
    static final int MAX_URI = 8_192;

    /** All header names and values together, in bytes. */
    static final int MAX_HEADERS = 16_384;

    /** What a header takes beside its name and value: colon, space, end of line. */
    private static final int AROUND_HEADER = 4;

    /** Before every other filter and route. */
    private static final int FIRST = 10_000;

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private final EarlyRefusals early;

    @Inject
    RequestHeads(EarlyRefusals early) {
        this.early = early;
    }

    void guard(@Observes Filters filters) {
        filters.register(this::refuseLong, FIRST);
    }

    /** What the router itself finds, before or after any filter is asked. */
    void guard(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).failureHandler(this::refuseUnclear);
    }

    private void refuseLong(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.uri().length() > MAX_URI) {
            early.refuse(
                    context,
                    new RequestRefused(
                            Fault.URI_TOO_LONG,
                            "the path and query have more than " + MAX_URI
                                    + " bytes; no path here needs that: see /q/openapi"));
        } else if (size(request) > MAX_HEADERS) {
            early.refuse(
                    context,
                    new RequestRefused(
                            Fault.HEADERS_TOO_LARGE,
                            "the headers have more than " + MAX_HEADERS
                                    + " bytes together; send fewer, and what belongs to a task in its payload"));
        } else {
            context.next();
        }
    }

    private static int size(HttpServerRequest request) {
        int size = 0;
        for (Map.Entry<String, String> header : request.headers()) {
            size += header.getKey().length() + header.getValue().length() + AROUND_HEADER;
        }
        return size;
    }

    private void refuseUnclear(RoutingContext context) {
        if (context.statusCode() == BAD_REQUEST) {
            early.refuse(
                    context,
                    RequestRefused.malformed(
                            "the request can't be understood: it needs a Host header with a host name, and a path; see /q/openapi"));
        } else if (context.statusCode() == NOT_FOUND && context.failure() == null) {
            early.answer(context, NOT_FOUND, ProblemStyle.NOTHING_HERE);
        } else {
            context.next();
        }
    }
}
