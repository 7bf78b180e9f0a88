package dev.deferred.http;

import dev.deferred.http.RequestRefused.Fault;
import dev.deferred.scheduling.SchedulingConfig;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
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
    private final EarlyRefusals early;

    @Inject
    LargeBodies(SchedulingConfig config, EarlyRefusals early) {
        this.maxBytes = config.maxPayload().asLongValue() + ENVELOPE;
        this.early = early;
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
        early.refuse(context, refusal());
    }
}
