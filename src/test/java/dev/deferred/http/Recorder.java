package dev.deferred.http;

import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import dev.deferred.work.TaskHandler;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Notes what it is given. */
@ApplicationScoped
@NonBlocking
public class Recorder implements TaskHandler<byte[]> {
    static final String TYPE = "http-recorder";

    private final Map<String, byte[]> payloads = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Class<byte[]> payloadType() {
        return byte[].class;
    }

    @Override
    public Uni<Outcome> handle(byte[] payload, Task task) {
        payloads.put(task.id().value(), payload);
        runs.incrementAndGet();
        return Uni.createFrom().item(Outcome.done());
    }

    byte[] payloadOf(String id) {
        return payloads.get(id);
    }

    int runs() {
        return runs.get();
    }
}
