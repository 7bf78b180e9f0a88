package dev.deferred.bench.handlers;

import dev.deferred.core.Payload;
import io.quarkus.arc.profile.UnlessBuildProfile;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestResponse;

/** What a request costs in itself: takes a body, does nothing, and answers as little as can be. */
@Path("/nothing")
@NonBlocking
@UnlessBuildProfile("test") // tests of the service find no path that it does not have
public class Nothing {
    @POST
    @Produces(Payload.JSON)
    public RestResponse<String> nothing(byte[] body) {
        return RestResponse.accepted("{}");
    }
}
