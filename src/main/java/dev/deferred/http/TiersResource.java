package dev.deferred.http;

import dev.deferred.scheduling.Tiers;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shows how many tasks wait. */
@Path("/tiers")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "tiers", description = "The queues in which tasks wait")
public class TiersResource {
    /** How old an answer may be: however often callers ask, the broker is asked once in that time. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final Duration DEADLINE = Duration.ofSeconds(4);

    private final Uni<WaitingTiers> waiting;

    @Inject
    TiersResource(Tiers tiers) {
        this.waiting = Uni.createFrom()
                .deferred(tiers::waiting)
                .ifNoItem()
                .after(DEADLINE)
                .fail()
                .map(WaitingTiers::of)
                .onFailure()
                .transform(failure -> RequestRefused.brokerAway())
                .memoize()
                .forFixedDuration(FRESH);
    }

    /** Every tier with the number of tasks that wait in it, at most a second old. */
    @GET
    @Operation(
            summary = "Count what waits",
            description = "The tiers from the smallest to the largest, at most a second old.")
    @APIResponse(responseCode = "200", description = "Every tier with the number of tasks that wait in it")
    @APIResponse(responseCode = "503", ref = "BrokerAway")
    public Uni<WaitingTiers> waiting() {
        return waiting;
    }
}
