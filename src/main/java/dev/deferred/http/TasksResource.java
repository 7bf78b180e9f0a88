package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.Scheduler;
import dev.deferred.scheduling.SchedulingConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse;

/** Schedules tasks. */
@Path("/tasks")
@Produces(MediaType.APPLICATION_JSON)
public class TasksResource {
    /** What a body may have beside the payload, in bytes. */
    static final int ENVELOPE = 16_384;

    private static final Duration BODY_TIME = Duration.ofSeconds(30);

    private final NewTasks newTasks;
    private final Scheduler scheduler;
    private final Vertx vertx;
    private final long maxBody;

    @Inject
    TasksResource(NewTasks newTasks, Scheduler scheduler, Vertx vertx, SchedulingConfig config) {
        this.newTasks = newTasks;
        this.scheduler = scheduler;
        this.vertx = vertx;
        this.maxBody = config.maxPayload().asLongValue() + ENVELOPE;
    }

    /** Schedules a task; answers when the broker holds it. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(202)
    public Uni<RestResponse<TaskAccepted>> schedule(@Context HttpServerRequest request) {
        return RequestBody.read(request, vertx, maxBody, BODY_TIME).chain(body -> {
            TaskId id = IdempotencyKey.of(request).map(TaskId::ofKey).orElseGet(newTasks::newId);
            Task task = TaskRequestReader.read(body).task(id, newTasks);
            return scheduler
                    .schedule(task)
                    .onFailure(PublishFailure.class)
                    .transform(failure -> new NotScheduled(id, failure))
                    .map(scheduled -> RestResponse.ResponseBuilder.create(
                                    RestResponse.Status.ACCEPTED, TaskAccepted.of(scheduled))
                            .header("Location", "/tasks/" + id.value())
                            .build());
        });
    }
}
