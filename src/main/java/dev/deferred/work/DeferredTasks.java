package dev.deferred.work;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.deferred.core.Payload;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.Scheduled;
import dev.deferred.scheduling.Scheduler;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;

/** Lets code of this service defer tasks. */
@ApplicationScoped
public class DeferredTasks {
    private final NewTasks newTasks;
    private final Scheduler scheduler;
    private final ObjectMapper mapper;

    @Inject
    DeferredTasks(NewTasks newTasks, Scheduler scheduler, ObjectMapper mapper) {
        this.newTasks = newTasks;
        this.scheduler = scheduler;
        this.mapper = mapper;
    }

    /**
     * Runs a task after a delay.
     *
     * @param type which handler it is for
     * @param delay 0 to {@code deferred.max-delay}
     * @param payload written as JSON
     * @return completes when the broker holds the task; fails with {@link dev.deferred.scheduling.InvalidTask} or
     *     {@link dev.deferred.amqp.PublishFailure}
     */
    public Uni<Scheduled> after(Duration delay, String type, Object payload) {
        return Uni.createFrom()
                .deferred(() -> scheduler.schedule(newTasks.after(newTasks.newId(), type, delay, json(payload))))
                .emitOn(Infrastructure.getDefaultExecutor());
    }

    /** Runs a task at an instant; like {@link #after} in all else. */
    public Uni<Scheduled> at(Instant at, String type, Object payload) {
        return Uni.createFrom()
                .deferred(() -> scheduler.schedule(newTasks.at(newTasks.newId(), type, at, json(payload))))
                .emitOn(Infrastructure.getDefaultExecutor());
    }

    private Payload json(Object payload) {
        try {
            return Payload.of(mapper.writeValueAsBytes(payload), Payload.JSON);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the payload can't be written as JSON: " + e.getOriginalMessage(), e);
        }
    }
}
