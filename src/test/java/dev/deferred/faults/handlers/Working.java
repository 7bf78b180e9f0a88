package dev.deferred.faults.handlers;

import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import dev.deferred.work.TaskHandler;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Works for as many milliseconds as its payload says, then fails if that is a multiple of three. */
@ApplicationScoped
@NonBlocking
public class Working implements TaskHandler<Integer> {
    public static final String TYPE = "test.works";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Class<Integer> payloadType() {
        return Integer.class;
    }

    @Override
    public Uni<Outcome> handle(Integer millis, Task task) {
        NotedRuns.note("begun", task);
        return Uni.createFrom()
                .voidItem()
                .onItem()
                .delayIt()
                .by(Duration.ofMillis(millis))
                .map(waited -> {
                    if (millis % 3 == 0) {
                        NotedRuns.note("failed", task);
                        throw new IllegalStateException("always");
                    }
                    NotedRuns.note("done", task);
                    return Outcome.done();
                });
    }
}
