package dev.deferred.faults.handlers;

import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import dev.deferred.work.TaskHandler;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** Takes the whole process down, at once. */
@ApplicationScoped
public class Halting implements TaskHandler<String> {
    public static final String TYPE = "test.halts";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Class<String> payloadType() {
        return String.class;
    }

    @Override
    public Uni<Outcome> handle(String payload, Task task) {
        NotedRuns.note("halts", task);
        Runtime.getRuntime().halt(1);
        return Uni.createFrom().nothing();
    }
}
