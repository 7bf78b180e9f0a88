package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import dev.deferred.http.RequestRefused.Fault;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.Scheduler;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse;

/** Schedules tasks. */
@Path("/tasks")
@Produces(MediaType.APPLICATION_JSON)
public class TasksResource {
    private final NewTasks newTasks;
    private final Scheduler scheduler;
    private final Vertx vertx;
    private final LargeBodies limit;

    @Inject
    TasksResource(NewTasks newTasks, Scheduler scheduler, Vertx vertx, LargeBodies limit) {
        this.newTasks = newTasks;
        this.scheduler = scheduler;
        this.vertx = vertx;
        this.limit = limit;
    }

    /** Schedules a task; answers when the broker holds it. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(202)
    public Uni<RestResponse<TaskAccepted>> schedule(@Context HttpServerRequest request) {
        JsonContent.require(request);
        Optional<TaskId> ofKey = IdempotencyKey.of(request).map(TaskId::ofKey);
        return RequestBody.read(request, vertx, limit).chain(body -> {
            TaskId id = ofKey.orElseGet(newTasks::newId);
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

    /** There is no record of single tasks, and this says so. */
    @GET
    @Path("/{id}")
    public RestResponse<TaskAccepted> find(@PathParam("id") String id) {
        throw new RequestRefused(
                Fault.NO_RECORD,
                "this service keeps no record of single tasks: a task is a message that waits in the broker, whether it exists,"
                        + " has run or never was. GET /tiers counts what waits; what could not run stands in the parked queue");
    }
}
