package dev.deferred.bench.handlers;

import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import dev.deferred.work.TaskHandler;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** Fails at once, as often as its payload says, then is done. */
@ApplicationScoped
@NonBlocking
public class FailsAtFirst implements TaskHandler<Integer> {
    public static final String TYPE = "bench.fails-at-first";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Class<Integer> payloadType() {
        return Integer.class;
    }

    @Override
    public Uni<Outcome> handle(Integer failures, Task task) {
        return Uni.createFrom().item(task.attempt() <= failures ? Outcome.retry("not yet") : Outcome.done());
    }
}
