package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.core.Outcome;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.Scheduler;
import dev.deferred.scheduling.SchedulingConfig;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.work.TaskHandler;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Connections end again and again while slow handlers work off a full queue. */
@QuarkusTest
@TestProfile(SlowHandlerIT.FewAtATime.class)
@WithTestResource(BrokerBehindProxy.class)
@NeedsBrokerNode
class SlowHandlerIT {
    private static final String TYPE = "slow.handler";
    private static final int TASKS = 1_000;
    private static final int MOST_TIMES = 10;
    private static final Duration GOES_ON = Duration.ofSeconds(15);
    /** The broker's tool may take ten seconds to say something on a busy machine. */
    private static final Duration SAID = Duration.ofSeconds(60);

    private static final Set<String> DONE = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger RUNNING = new AtomicInteger();
    private static final AtomicInteger MOST_RUNNING = new AtomicInteger();

    @Inject
    NewTasks newTasks;

    @Inject
    Scheduler scheduler;

    @Inject
    SchedulingConfig config;

    BrokerBehindProxy bench;

    /** Ten tasks run at a time, and ten more are in hand. */
    public static final class FewAtATime implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("deferred.work.concurrency", "10", "deferred.work.prefetch", "20");
        }
    }

    /** Takes its time. */
    @ApplicationScoped
    @NonBlocking
    static class Slow implements TaskHandler<String> {
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
            MOST_RUNNING.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
            return Uni.createFrom()
                    .item(Outcome.done())
                    .onItem()
                    .delayIt()
                    .by(Duration.ofMillis(150))
                    .invoke(() -> DONE.add(task.id().value()))
                    .onTermination()
                    .invoke(RUNNING::decrementAndGet);
        }
    }

    @Test
    void everyTaskIsDoneAndThePrefetchHoldsHoweverOftenTheConnectionsEnd() {
        List<String> ids = schedule();
        for (int i = 0; i < MOST_TIMES && DONE.size() < TASKS; i++) {
            bench.broker().ctl("close_all_connections", "a test");
            int enough = Math.min(DONE.size() + 40, TASKS);
            await("tasks done after the connections ended").atMost(GOES_ON).untilAsserted(() -> assertThat(DONE)
                    .hasSizeGreaterThanOrEqualTo(enough));
        }
        await().atMost(SAID)
                .untilAsserted(() -> assertThat(bench.broker().ctl("list_consumers", "queue_name", "prefetch_count"))
                        .contains(config.prefix() + ".tasks\t20"));
        await("all tasks").atMost(Duration.ofSeconds(60)).until(() -> DONE.containsAll(ids));
        await("an empty queue").atMost(SAID).until(() -> bench.broker()
                .ctl("list_queues", "name", "messages")
                .contains(config.prefix() + ".tasks\t0"));
        assertThat(MOST_RUNNING).hasValueLessThanOrEqualTo(10);
        assertThat(bench.broker().ctl("list_queues", "name", "messages")).contains(config.prefix() + ".parked\t0");
    }

    private List<String> schedule() {
        return Multi.createFrom()
                .iterable(IntStream.range(0, TASKS)
                        .mapToObj(i -> newTasks.after(newTasks.newId(), TYPE, Duration.ZERO, Payload.json("\"x\"")))
                        .toList())
                .onItem()
                .transformToUniAndMerge(task ->
                        scheduler.schedule(task).map(scheduled -> task.id().value()))
                .collect()
                .asList()
                .await()
                .atMost(Duration.ofSeconds(30));
    }
}
