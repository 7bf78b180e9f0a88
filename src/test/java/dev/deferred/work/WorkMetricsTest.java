package dev.deferred.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.core.Outcome;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WorkMetrics metrics = new WorkMetrics(registry);

    @Test
    void runsAreCountedByTypeAndOutcomeAndTheLatenessByTypeOnly() {
        metrics.handled(task("a"), 1_010, 1_015, Outcome.done(), null);
        metrics.handled(task("a"), 1_020, 1_030, Outcome.done(), null);
        metrics.handled(task("a"), 1_000, 1_000, Outcome.park("why"), null);
        metrics.handled(task("b"), 900, 899, null, new IllegalStateException("clocks may step back"));
        assertThat(handled("a", "done")).isEqualTo("2 in 15 ms");
        assertThat(handled("a", "parked")).isEqualTo("1 in 0 ms");
        assertThat(handled("b", "failed")).isEqualTo("1 in 0 ms");
        assertThat(lateness("a")).isEqualTo("3 in 30 ms");
        assertThat(lateness("b")).isEqualTo("1 in 0 ms");
        assertThat(registry.getMeters()).hasSize(5);
    }

    private static Task task(String type) {
        return Task.first(TaskId.ofKey(type), type, 0, 1_000, Payload.json("1"));
    }

    private String handled(String type, String outcome) {
        return shown(registry.get("deferred.handled")
                .tags("type", type, "outcome", outcome)
                .timer());
    }

    private String lateness(String type) {
        return shown(registry.get("deferred.start.lateness").tag("type", type).timer());
    }

    private static String shown(Timer timer) {
        return timer.count() + " in " + Math.round(timer.totalTime(TimeUnit.MILLISECONDS)) + " ms";
    }
}
