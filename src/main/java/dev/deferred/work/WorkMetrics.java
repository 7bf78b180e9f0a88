package dev.deferred.work;

import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what handlers did. The label {@code type} is the type of a handler that exists here, so its values are a closed set. */
@ApplicationScoped
public class WorkMetrics {
    private static final Outcome.Cases<String> HOW = new Outcome.Cases<>() {
        @Override
        public String done() {
            return "done";
        }

        @Override
        public String again(Duration delay) {
            return "again";
        }

        @Override
        public String retry(String reason) {
            return "failed";
        }

        @Override
        public String park(String reason) {
            return "parked";
        }
    };

    private record Ended(String type, String outcome) {}

    private final MeterRegistry registry;
    /** Kept, since the registry finds a timer only by building its name and tags anew. */
    private final Map<Ended, Timer> handled = new ConcurrentHashMap<>();

    private final Map<String, Timer> lateness = new ConcurrentHashMap<>();

    @Inject
    WorkMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** A handler ended: either an outcome or a failure. */
    void handled(Task task, long startedMillis, long endedMillis, Outcome outcome, Throwable failure) {
        String how = failure != null ? "failed" : outcome.decide(HOW);
        handled.computeIfAbsent(new Ended(task.type(), how), this::handledTimer)
                .record(Duration.ofMillis(Math.max(0, endedMillis - startedMillis)));
        lateness.computeIfAbsent(task.type(), this::latenessTimer)
                .record(Duration.ofMillis(Math.max(0, startedMillis - task.dueAtMillis())));
    }

    private Timer handledTimer(Ended ended) {
        return Timer.builder("deferred.handled")
                .description("Tasks handled, and how long the handlers took")
                .tag("type", ended.type())
                .tag("outcome", ended.outcome())
                .register(registry);
    }

    private Timer latenessTimer(String type) {
        return Timer.builder("deferred.start.lateness")
                .description("How long after its due time a handler started: the wait in the normal queue included")
                .tag("type", type)
                .register(registry);
    }
}
