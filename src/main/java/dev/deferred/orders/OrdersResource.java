package dev.deferred.orders;

import dev.deferred.core.TaskId;
import dev.deferred.http.JsonBody;
import dev.deferred.http.Problems;
import dev.deferred.orders.Order.State;
import dev.deferred.work.DeferredTasks;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
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
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/** Places, pays and shows orders. */
@Path("/orders")
@RegisterForReflection(fields = false)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "orders", description = "The example: an order that is not paid in time is closed. Kept in memory only")
public class OrdersResource {
    private final JsonBody body;
    private final OrderBook orders;
    private final DeferredTasks tasks;
    private final Clock clock;
    private final Duration paymentTime;
    private final RandomGenerator random = new SecureRandom();

    @Inject
    OrdersResource(JsonBody body, OrderBook orders, DeferredTasks tasks, Clock clock, OrdersConfig config) {
        this.body = body;
        this.orders = orders;
        this.tasks = tasks;
        this.clock = clock;
        this.paymentTime = config.paymentTime();
    }

    /** Places an order: it is there, and its time-out is scheduled; or neither. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(summary = "Place an order", description = "It is closed when it is not paid in time.")
    @APIResponse(responseCode = "400", ref = "BadRequest")
    @APIResponse(responseCode = "413", ref = "TooLarge")
    @APIResponse(responseCode = "415", ref = "UnsupportedMediaType")
    @APIResponse(responseCode = "429", ref = "TooMany")
    @APIResponse(responseCode = "503", ref = "NotScheduled")
    @RequestBody(required = true, content = @Content(schema = @Schema(implementation = NewOrder.class)))
    @APIResponse(
            responseCode = "201",
            description = "The order is open, and its time-out is scheduled",
            content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Order.class)))
    public Uni<RestResponse<Order>> place(@Context HttpServerRequest request) {
        return body.as(NewOrder.class, request).chain(this::place);
    }

    private Uni<RestResponse<Order>> place(NewOrder wanted) {
        wanted.check();
        return place(wanted, wanted.paymentTime(paymentTime));
    }

    private Uni<RestResponse<Order>> place(NewOrder wanted, Duration time) {
        long now = clock.millis();
        Order order = new Order(
                TaskId.generate(now, random).value(),
                wanted.item(),
                wanted.amount(),
                State.OPEN,
                Instant.ofEpochMilli(now).plus(time));
        // first the order, then its time-out: a time-out that comes at once must find it
        if (!orders.add(order)) {
            throw Problems.problem(
                            503, "all " + OrderBook.CAPACITY + " orders that the example keeps are open; pay one")
                    .withHeader("Retry-After", 60)
                    .build();
        }
        return tasks.after(time, OrderTimeout.TYPE, new OrderTimeout.Check(order.id()))
                .onFailure()
                .invoke(() -> orders.remove(order.id()))
                .onCancellation()
                .invoke(() -> orders.remove(order.id()))
                .map(scheduled -> ResponseBuilder.create(RestResponse.Status.CREATED, order)
                        .header("Location", "/orders/" + order.id())
                        .build());
    }

    /** Pays an order that is still open; paying it again changes nothing. */
    @POST
    @Path("/{id}/pay")
    @NonBlocking
    @Operation(summary = "Pay an order", description = "Paying it again changes nothing.")
    @APIResponse(responseCode = "200", description = "The order is paid")
    @APIResponse(responseCode = "404", ref = "NotFound")
    @APIResponse(responseCode = "409", ref = "Conflict")
    public Order pay(@PathParam("id") String id) {
        Order order = orders.pay(id).orElseThrow(OrdersResource::unknown);
        if (order.state() == State.CLOSED) {
            throw Problems.problem(409, "the order was closed because it was not paid in time; place a new one")
                    .build();
        }
        return order;
    }

    /** Shows an order. */
    @GET
    @Path("/{id}")
    @NonBlocking
    @Operation(summary = "Look at an order")
    @APIResponse(responseCode = "200", description = "The order")
    @APIResponse(responseCode = "404", ref = "NotFound")
    public Order find(@PathParam("id") String id) {
        return orders.find(id).orElseThrow(OrdersResource::unknown);
    }

    private static HttpProblem unknown() {
        return Problems.problem(404, "there is no such order; orders are kept in memory and end with the service")
                .build();
    }
}
