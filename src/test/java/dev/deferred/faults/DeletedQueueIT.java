package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Somebody deletes a queue that the service needs. What was in it is gone; nothing else may be. */
@NeedsBrokerNode
class DeletedQueueIT {
    private static final Duration REDECLARED = Duration.ofSeconds(30);
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
            AtomicInteger destroyed = new AtomicInteger();
            scenario.disturb("deferred.due deleted", () -> {
                destroyed.set(delete("deferred.due"));
                awaitConsumersOf("deferred.due");
            });
            scenario.awaitMore(Answer.ACCEPTED, 100);
            scenario.promisesAreKeptBut(destroyed.get());
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
                assertThat(delete("deferred.delay.5s")).isZero();
                await("a task for the deleted tier")
                        .atMost(REDECLARED)
                        .until(() -> scenario.post(Duration.ofSeconds(5)).answer() == Answer.ACCEPTED);
            });
            scenario.everyPromiseIsKept();
        }
    }

    /** Deletes a queue and returns how many messages were ready in it and so went with it. */
    private static int delete(String queue) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(bench.broker.host());
        factory.setPort(bench.broker.port());
        try (Connection connection = factory.newConnection("deletes " + queue)) {
            return connection.createChannel().queueDelete(queue).getMessageCount();
        }
    }

    private static void awaitConsumersOf(String queue) {
        await("consumers of " + queue).atMost(REDECLARED).until(() -> bench.broker
                .ctl("list_queues", "--silent", "name", "consumers")
                .lines()
                .anyMatch(line -> line.matches(queue.replace(".", "\\.") + "\\s+[1-9]\\d*")));
    }
}
