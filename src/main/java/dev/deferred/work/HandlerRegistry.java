package dev.deferred.work;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.deferred.core.RetryPolicy;
import dev.deferred.core.TaskType;
import dev.deferred.scheduling.Names;
import io.quarkus.arc.ClientProxy;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** The handlers of this service by their types, checked when it starts. */
@ApplicationScoped
public class HandlerRegistry {
    private static final Logger LOG = Logger.getLogger(HandlerRegistry.class);
    private static final int FIRST_OF_ALL = 10;

    /**
     * A handler with what it needs.
     *
     * @param blocking whether it must stay off the event loop
     * @param retry how its tasks are tried again
     */
    record Registered<T>(TaskHandler<T> handler, PayloadReader<T> reader, boolean blocking, RetryPolicy retry) {}

    private final Map<String, Registered<?>> byType = new TreeMap<>();

    @Inject
    HandlerRegistry(@Any Instance<TaskHandler<?>> handlers, RetryPolicies policies, ObjectMapper mapper) {
        handlers.forEach(handler -> register(handler, policies, mapper));
        policies.requireHandlers(byType.keySet());
    }

    private <T> void register(TaskHandler<T> handler, RetryPolicies policies, ObjectMapper mapper) {
        Class<?> beanClass = ClientProxy.unwrap(handler).getClass();
        String type = handler.type();
        try {
            TaskType.require(type);
            boolean blocking = !beanClass.isAnnotationPresent(NonBlocking.class);
            Registered<?> other = byType.put(
                    type,
                    new Registered<>(
                            handler,
                            new PayloadReader<>(handler.payloadType(), mapper),
                            blocking,
                            policies.of(handler)));
            if (other != null) {
                throw new IllegalArgumentException("its type belongs to "
                        + ClientProxy.unwrap(other.handler()).getClass().getName()
                        + " already. Give one of them another type");
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("The handler " + beanClass.getName() + " of type \"" + type
                    + "\" with payload " + handler.payloadType().getName() + " can't be used: " + e.getMessage() + ".");
        }
    }

    void check(@Observes @Priority(FIRST_OF_ALL) StartupEvent event) {
        LOG.infof("handlers for the types %s", byType.keySet());
    }

    Optional<Registered<?>> find(String type) {
        return Optional.ofNullable(byType.get(type));
    }

    /** The types that have a handler here. */
    public Set<String> types() {
        return Set.copyOf(byType.keySet());
    }

    /** The routing keys of the normal queue. */
    @Produces
    @Singleton
    @Identifier(Names.HANDLED_TYPES) Supplier<Set<String>> handledTypes() {
        Set<String> types = types();
        return () -> types;
    }
}
