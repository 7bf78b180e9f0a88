package dev.deferred.http;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Takes nothing new from the moment the process is told to end. What was taken before is answered within
 * {@code quarkus.shutdown.timeout}; so nothing is scheduled whose caller gets no answer.
 */
@Startup
@Singleton
class Stopping {
    private static final Logger LOG = Logger.getLogger(Stopping.class);

    private final Thread hook = new Thread(() -> stopping = true, "deferred-stopping");
    private volatile boolean stopping;

    /** Quarkus tells an application of its end only when HTTP is closed already; the JVM tells at once. */
    @PostConstruct
    void listen() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void forget(@Observes ShutdownEvent event) {
        stopping = true;
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.trace("the JVM itself is ending: the hook has run", e);
        }
    }

    @ServerRequestFilter
    void refuse(ContainerRequestContext request) {
        if (stopping && request.getMethod().equals(HttpMethod.POST)) {
            throw new RequestRefused(
                    RequestRefused.Fault.STOPPING,
                    "the service is stopping; send the request again, to another instance or later");
        }
    }
}
