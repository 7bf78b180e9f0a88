package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import dev.deferred.http.RequestRefused.Fault;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.Scheduler;
import io.smallrye.mutiny.Uni;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** Schedules tasks. */
@Path("/tasks")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "tasks", description = "Tasks that run later")
public class TasksResource {
    private final NewTasks newTasks;
    private final Scheduler scheduler;
    private final JsonBody body;

    @Inject
    TasksResource(NewTasks newTasks, Scheduler scheduler, JsonBody body) {
        this.newTasks = newTasks;
        this.scheduler = scheduler;
        this.body = body;
    }

    /** Schedules a task; answers when the broker holds it. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Schedule a task",
            description =
                    "Answers 202 when the broker holds the task on disk. There is no store of keys: a request repeated with"
                            + " the same Idempotency-Key is a second task with the same id, by which a handler can drop it.")
    @Parameter(
            name = IdempotencyKey.HEADER,
            in = ParameterIn.HEADER,
            description = "1 to 255 printable ASCII characters; the task's id is computed from it",
            schema = @Schema(type = SchemaType.STRING, minLength = 1, maxLength = 255),
            example = "order-42")
    @RequestBody(
            required = true,
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ApiDescription.NewTask.class),
                            examples = {
                                @ExampleObject(
                                        name = "after a delay",
                                        value =
                                                "{\"type\":\"order-timeout\",\"delay\":\"30m\",\"payload\":{\"orderId\":\"42\"}}"),
                                @ExampleObject(
                                        name = "at an instant",
                                        value = "{\"type\":\"order-timeout\",\"at\":\"2026-12-01T10:00:00Z\"}")
                            }))
    @APIResponse(
            responseCode = "202",
            description = "The broker holds the task",
            headers =
                    @Header(
                            name = "Location",
                            description = "The task's own path",
                            schema = @Schema(type = SchemaType.STRING)),
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = TaskAccepted.class)))
    @APIResponse(responseCode = "400", ref = "BadRequest")
    @APIResponse(responseCode = "406", ref = "NotAcceptable")
    @APIResponse(responseCode = "408", ref = "TooSlow")
    @APIResponse(responseCode = "413", ref = "TooLarge")
    @APIResponse(responseCode = "415", ref = "UnsupportedMediaType")
    @APIResponse(responseCode = "500", ref = "ServiceFailed")
    @APIResponse(responseCode = "503", ref = "NotScheduled")
    public Uni<RestResponse<TaskAccepted>> schedule(@Context HttpServerRequest request) {
        Optional<TaskId> ofKey = IdempotencyKey.of(request).map(TaskId::ofKey);
        return body.bytes(request).chain(json -> {
            TaskId id = ofKey.orElseGet(newTasks::newId);
            Task task = TaskRequestReader.read(json).task(id, newTasks);
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
    @Operation(
            summary = "Find a task",
            description = "There is no record of single tasks yet: always 404, which says so.")
    @APIResponse(responseCode = "404", ref = "NotFound")
    public Uni<Void> find(@PathParam("id") String id) {
        throw new RequestRefused(
                Fault.NO_RECORD,
                "this service keeps no record of single tasks: a task is a message that waits in the broker, whether it exists,"
                        + " has run or never was. GET /tiers counts what waits; GET /parked lists what could not run");
    }
}
