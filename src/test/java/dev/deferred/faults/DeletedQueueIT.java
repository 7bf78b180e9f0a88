package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.deferred.testing.Disturbance;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.NothingLost;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Somebody deletes a queue that the service needs. What was in it or being put in it is gone; nothing else may be. */
@NeedsBrokerNode
class DeletedQueueIT {
    private static final Duration REDECLARED = Duration.ofSeconds(30);
    private static final Duration SMALLEST_TIER = Duration.ofSeconds(1);
    private static final List<Duration> BELOW_FIVE_SECONDS =
            List.of(Duration.ZERO, Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofMillis(2_700));

    private static FaultBench bench;

    @BeforeAll
    static void start() {
        bench = FaultBench.start("deleted-queue");
    }

    @AfterAll
    static void stop() throws IOException {
        bench.close();
    }

    @Test
    void theQueueOfDueTasksIsDeclaredAndConsumedAgain() throws Exception {
        try (Scenario scenario = bench.begin("due-deleted")) {
            scenario.underMixedTraffic();
            AtomicReference<Deletion> deletion = new AtomicReference<>();
            scenario.disturb("deferred.due deleted", () -> {
                deletion.set(delete("deferred.due"));
                awaitConsumersOf("deferred.due");
            });
            scenario.awaitMore(Answer.ACCEPTED, 100);
            scenario.promisesAreKept(new NothingLost(
                    scenario.evidence(),
                    deletion.get().destroyed(),
                    task -> isHandedToTheGate(task) && deletion.get().during().met(task)));
        }
    }

    @Test
    void theQueueOfTheWorkerIsDeclaredAndConsumedAgain() throws Exception {
        try (Scenario scenario = bench.begin("tasks-deleted")) {
            scenario.underMixedTraffic();
            scenario.disturb("deferred.tasks deleted", () -> {
                delete("deferred.tasks");
                awaitConsumersOf("deferred.tasks");
            });
            scenario.everyPromiseIsKept();
        }
    }

    @Test
    void aTierIsDeclaredAgainWhenItIsNeeded() throws Exception {
        try (Scenario scenario = bench.begin("tier-deleted")) {
            scenario.underTraffic(BELOW_FIVE_SECONDS);
            scenario.awaitMore(Answer.ACCEPTED, 40);
            scenario.disturb("deferred.delay.5s deleted", () -> {
                assertThat(delete("deferred.delay.5s").destroyed()).isZero();
                await("a task for the deleted tier")
                        .atMost(REDECLARED)
                        .until(() -> scenario.post(Duration.ofSeconds(5)).answer() == Answer.ACCEPTED);
            });
            scenario.everyPromiseIsKept();
        }
    }

    /** Whether a task was published to the queue of due tasks straight away, being due sooner than the smallest tier. */
    private static boolean isHandedToTheGate(Produced task) {
        return Duration.between(task.sentAt(), task.dueAt()).compareTo(SMALLEST_TIER) < 0;
    }

    /**
     * What deleting a queue did.
     *
     * @param destroyed how many messages were ready in it and so went with it
     * @param during when it was being deleted
     */
    private record Deletion(int destroyed, Disturbance during) {}

    private static Deletion delete(String queue) throws Exception {
        try (Connection connection = connect()) {
            Instant from = Instant.now();
            int destroyed = connection.createChannel().queueDelete(queue).getMessageCount();
            return new Deletion(destroyed, new Disturbance(queue + " deleted", from, Instant.now()));
        }
    }

    private static void awaitConsumersOf(String queue) throws Exception {
        try (Connection connection = connect()) {
            await("consumers of " + queue).atMost(REDECLARED).until(() -> isConsumed(connection, queue));
        }
    }

    private static boolean isConsumed(Connection connection, String queue) {
        try {
            return connection.createChannel().consumerCount(queue) > 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private static Connection connect() throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(bench.broker.host());
        factory.setPort(bench.broker.port());
        return factory.newConnection("deletes queues");
    }
}
