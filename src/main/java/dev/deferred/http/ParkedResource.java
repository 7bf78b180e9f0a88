package dev.deferred.http;

import dev.deferred.amqp.PublishFailure;
import dev.deferred.amqp.TakenOut;
import dev.deferred.http.RequestRefused.Fault;
import dev.deferred.scheduling.ParkedTasks;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shows what could not go on, sends it back to work, or drops it. */
@Path("/parked")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "parked", description = "Tasks that could not go on, with the reason")
public class ParkedResource {
    private static final String PAGE = "50";
    private static final int LARGEST_PAGE = 200;

    private final ParkedTasks parked;

    @Inject
    ParkedResource(ParkedTasks parked) {
        this.parked = parked;
    }

    /** A page of what is parked. */
    @GET
    @Operation(
            summary = "List what is parked",
            description =
                    "The newest first. The parking queue itself is not touched: the list comes from a log beside it,"
                            + " and has the newest 1000 that this service parked.")
    @APIResponse(
            responseCode = "200",
            description = "A page of the list, and how many messages are parked in all, a second old at most",
            content = @Content(schema = @Schema(implementation = ParkedPage.class)))
    @APIResponse(responseCode = "400", ref = "BadRequest")
    @APIResponse(responseCode = "503", ref = "BrokerAway")
    public Uni<ParkedPage> list(
            @Parameter(
                            description = "How many at most",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "200",
                                            defaultValue = PAGE))
                    @QueryParam("limit")
                    Optional<String> limit,
            @Parameter(description = "Where the page begins: the value `next` of the page before") @QueryParam("before")
                    Optional<String> before) {
        int most = (int) number("limit", limit.orElse(PAGE), 1, LARGEST_PAGE);
        long from = before.isEmpty() ? Long.MAX_VALUE : number("before", before.get(), 0, Long.MAX_VALUE);
        return parked.list(from, most)
                .onFailure()
                .transform(failure -> RequestRefused.brokerAway())
                .map(ParkedPage::of);
    }

    private static long number(String name, String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, text, least, most);
        }
        throw wrong(name, text, least, most);
    }

    private static RequestRefused wrong(String name, String text, long least, long most) {
        return RequestRefused.malformed(name + " must be a whole number from " + least + " to " + most + ", not \""
                + Problems.shown(text) + '"');
    }

    /** What is noted of one parked task. */
    @GET
    @Path("/{id}")
    @NonBlocking
    @Operation(
            summary = "Look at a parked task",
            description = "All that is noted of it; its payload stays in the queue.")
    @APIResponse(responseCode = "200", description = "What is noted of it")
    @APIResponse(responseCode = "404", ref = "NotFound")
    public ParkedAnswer find(@PathParam("id") String id) {
        return parked.find(id)
                .map(ParkedAnswer::of)
                .orElseThrow(
                        () -> new RequestRefused(
                                Fault.NO_RECORD,
                                "no task with this id is in the list of what is parked, which has the newest 1000 that this service"
                                        + " parked. GET /parked says how many are not in it; replay and discard find those too"));
    }

    /** Sends a parked task back to work. */
    @POST
    @Path("/{id}/replay")
    @Operation(
            summary = "Replay a parked task",
            description =
                    "Due now, under the same id, with all its attempts before it. It leaves the parking queue when the"
                            + " broker holds the new message; a crash in between may leave both, under one id.")
    @APIResponse(responseCode = "200", description = "It was sent back to work")
    @APIResponse(responseCode = "404", ref = "NotFound")
    @APIResponse(responseCode = "409", ref = "Conflict")
    @APIResponse(responseCode = "503", ref = "BrokerAway")
    public Uni<Replayed> replay(@PathParam("id") String id) {
        return one(parked.replay(id)).map(Replayed::of);
    }

    /** Sends all parked tasks of a type back to work. */
    @POST
    @Path("/replay")
    @Operation(
            summary = "Replay all parked tasks of a type",
            description =
                    "The oldest first, as many as can be replayed in ten seconds; the answer says whether more are left.")
    @APIResponse(responseCode = "200", description = "How many were sent back to work")
    @APIResponse(responseCode = "400", ref = "BadRequest")
    @APIResponse(responseCode = "503", ref = "BrokerAway")
    public Uni<Replayed> replayAll(
            @Parameter(description = "The type of the tasks", required = true, example = "order-timeout")
                    @QueryParam("type")
                    Optional<String> type) {
        String wanted = type.filter(text -> !text.isBlank())
                .orElseThrow(
                        () -> RequestRefused.malformed(
                                "type is missing; say which tasks are replayed, such as POST /parked/replay?type=order-timeout"));
        return reached(parked.replayAll(wanted))
                .invoke(tasks -> {
                    TakenOut taken = tasks.taken();
                    boolean inVain = taken.count() == 0
                            && (taken.end() == TakenOut.End.FAILED || taken.end() == TakenOut.End.BUSY);
                    if (inVain) {
                        throw NotTakenOut.why(taken);
                    }
                })
                .map(Replayed::of);
    }

    /** Drops a parked message. */
    @DELETE
    @Path("/{id}")
    @Operation(summary = "Discard a parked task", description = "It is gone for good, with its payload.")
    @APIResponse(responseCode = "204", description = "It is gone")
    @APIResponse(responseCode = "404", ref = "NotFound")
    @APIResponse(responseCode = "503", ref = "BrokerAway")
    public Uni<Void> discard(@PathParam("id") String id) {
        return reached(parked.discard(id))
                .invoke(taken -> {
                    if (taken.end() != TakenOut.End.ENOUGH) {
                        throw NotTakenOut.why(taken);
                    }
                })
                .replaceWithVoid();
    }

    private static Uni<TakenOut> one(Uni<TakenOut> taking) {
        return reached(taking).invoke(taken -> {
            if (taken.count() == 0) {
                throw NotTakenOut.why(taken);
            }
        });
    }

    private static <T> Uni<T> reached(Uni<T> taking) {
        return taking.onFailure(PublishFailure.class).transform(NotTakenOut::new);
    }
}
