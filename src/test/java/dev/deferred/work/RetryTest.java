package dev.deferred.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Outcome;
import dev.deferred.core.Payload;
import dev.deferred.core.RetryPolicy;
import dev.deferred.core.Task;
import dev.deferred.core.Tier;
import dev.deferred.scheduling.Names;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.ParkedTasks;
import dev.deferred.scheduling.Scheduler;
import dev.deferred.scheduling.SchedulingConfig;
import dev.deferred.testing.Broker;
import dev.deferred.testing.LoggedLines;
import dev.deferred.testing.PlainClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that fails, or asks to run again, on a real broker. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(RetryTest.QuickRetries.class)
class RetryTest {
    private static final Duration AT_MOST = Duration.ofSeconds(30);
    private static final String TYPE = "retry.any";

    /** Short waits; six retries of the other type, each over several tiers. */
    public static final class QuickRetries implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "deferred.tiers", "50ms,100ms,200ms,500ms,1s,5s",
                    "deferred.retry.max-attempts", "3",
                    "deferred.retry.delay", "100ms",
                    "deferred.retry.factor", "1",
                    "deferred.retry.jitter", "0",
                    "deferred.retry.max-age", "1h",
                    "deferred.retry.permanent", "java.lang.UnsupportedOperationException",
                    "deferred.retry.types.\"retry.hops\".delay", "870ms");
        }
    }

    record Run(Task task, long atMillis) {}

    private static final Queue<Run> RUNS = new ConcurrentLinkedQueue<>();
    private static volatile BiFunction<String, Task, Uni<Outcome>> work;

    /** Does what the test says. */
    @ApplicationScoped
    static class Any implements TaskHandler<String> {
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
            RUNS.add(new Run(task, System.currentTimeMillis()));
            return work.apply(payload, task);
        }
    }

    /** The same with a policy of its own, of which the configuration changes the wait. */
    @ApplicationScoped
    static class Hops extends Any {
        @Override
        public String type() {
            return "retry.hops";
        }

        @Override
        public RetryPolicy retryPolicy(RetryPolicy standard) {
            return standard.withMaxAttempts(7).withDelay(Duration.ofMillis(1));
        }
    }

    @Inject
    NewTasks newTasks;

    @Inject
    Scheduler scheduler;

    @Inject
    ParkedTasks parkedTasks;

    @Inject
    SchedulingConfig config;

    @Inject
    Config mpConfig;

    private Names names;
    private PlainClient client;

    @BeforeEach
    void connect() throws Exception {
        names = new Names(config.prefix());
        client = new PlainClient(mpConfig);
        RUNS.clear();
    }

    @AfterEach
    void leave() throws IOException {
        client.close();
    }

    private Task schedule(String type) {
        Task task = newTasks.after(newTasks.newId(), type, Duration.ZERO, Payload.json("\"x\""));
        scheduler.schedule(task).await().atMost(AT_MOST);
        return task;
    }

    private GetResponse parked(Task task) throws IOException {
        return client.take(names.parked(), task.id().value());
    }

    private static String header(GetResponse message, String name) {
        return message.getProps().getHeaders().get(name).toString();
    }

    private static List<Integer> attempts() {
        return RUNS.stream().map(run -> run.task().attempt()).toList();
    }

    @Test
    void workThatAlwaysFailsIsTriedAsOftenAsThePolicySaysThenParkedWithItsFirstAndLastFailure() throws Exception {
        work = (payload, task) -> {
            throw new IllegalStateException("failure " + task.attempt());
        };
        Task task = schedule(TYPE);
        GetResponse parked = parked(task);
        assertThat(attempts()).containsExactly(1, 2, 3);
        assertThat(RUNS).allMatch(run -> run.task().id().equals(task.id()));
        assertThat(header(parked, ParkedMessage.REASON)).isEqualTo("failed");
        assertThat(header(parked, Wire.ATTEMPT)).isEqualTo("3");
        assertThat(header(parked, Wire.FIRST_FAILURE)).isEqualTo("java.lang.IllegalStateException: failure 1");
        assertThat(header(parked, Wire.LAST_FAILURE)).isEqualTo("java.lang.IllegalStateException: failure 3");
        assertThat(Long.parseLong(header(parked, Wire.LAST_FAILURE_AT)))
                .isGreaterThan(Long.parseLong(header(parked, Wire.FIRST_FAILURE_AT)));
        assertThat(parked.getProps().getType()).isEqualTo(TYPE);
        assertThat(header(parked, ParkedMessage.ROUTING_KEY)).isEqualTo(TYPE);
        assertThat(parked.getBody()).asString().isEqualTo("\"x\"");
    }

    @Test
    void eachFailedAttemptIsOneLineInTheLogAndSaysWhatComesNext() throws Exception {
        work = (payload, task) -> {
            throw new IllegalStateException("failure\n" + task.attempt());
        };
        try (LoggedLines verdicts = LoggedLines.of(Verdicts.class.getName());
                LoggedLines parking = LoggedLines.of("dev.deferred.scheduling.Parking")) {
            Task task = schedule(TYPE);
            parked(task);
            String id = task.id().value();
            await().atMost(AT_MOST).until(() -> parking.with(id).size() == 1);
            assertThat(verdicts.with(id))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .matches("attempt 1 of 3 of task \"" + id + "\" \\(retry.any\\) failed, the next is"
                                            + " in \\d+ms: java.lang.IllegalStateException: failure 1"),
                            line -> assertThat(line)
                                    .startsWith("attempt 2 of 3")
                                    .endsWith("failure 2"));
            assertThat(parking.with(id).get(0))
                    .contains("attempt 3 of 3 failed")
                    .endsWith("failure 3");
        }
    }

    @Test
    void workThatFailsAFewTimesIsDoneInTheEndAndNoAttemptIsEarly() {
        work = (payload, task) -> Uni.createFrom().item(task.attempt() < 3 ? Outcome.retry("not yet") : Outcome.done());
        schedule(TYPE);
        await().atMost(AT_MOST).untilAsserted(() -> assertThat(attempts()).containsExactly(1, 2, 3));
        List<Run> runs = List.copyOf(RUNS);
        for (int i = 1; i < runs.size(); i++) {
            assertThat(runs.get(i).atMillis() - runs.get(i - 1).atMillis()).isGreaterThanOrEqualTo(100);
            assertThat(runs.get(i).task().dueAtMillis())
                    .isGreaterThan(runs.get(i - 1).task().dueAtMillis());
        }
    }

    @Test
    void sixRetriesOverSeveralHopsEachAllHappen() throws Exception {
        work = (payload, task) -> Uni.createFrom().failure(new IOException("down"));
        Task task = schedule("retry.hops");
        GetResponse parked = parked(task);
        assertThat(attempts()).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(header(parked, Wire.ATTEMPT)).isEqualTo("7");
    }

    @Test
    void aPermanentExceptionParksAtOnce() throws Exception {
        work = (payload, task) -> Uni.createFrom().failure(new UnsupportedOperationException("never"));
        GetResponse parked = parked(schedule(TYPE));
        assertThat(attempts()).containsExactly(1);
        assertThat(header(parked, ParkedMessage.REASON)).isEqualTo("failed");
        assertThat(header(parked, Wire.FIRST_FAILURE)).contains("never");
    }

    @Test
    void askingAgainIsNoFailureAndStartsTheAttemptsOver() {
        work = (payload, task) -> Uni.createFrom()
                .item(
                        RUNS.size() == 1
                                ? Outcome.retry("once")
                                : RUNS.size() < 6 ? Outcome.again(Duration.ofMillis(60)) : Outcome.done());
        schedule(TYPE);
        await().atMost(AT_MOST).untilAsserted(() -> assertThat(attempts()).containsExactly(1, 2, 1, 1, 1, 1));
        assertThat(List.copyOf(RUNS).get(5).task().attempts().first()).isEmpty();
    }

    @Test
    void aWaitThatEqualsATierIsOneHopHoweverTheClockTicksMeanwhile() throws Exception {
        int tasks = 300;
        work = (payload, task) ->
                Uni.createFrom().item(task.attempt() == 1 ? Outcome.retry("once") : Outcome.done()); // waits 100 ms
        String seen = client.channel().queueDeclare().getQueue();
        client.channel().queueBind(seen, names.delay(Tier.of(Duration.ofMillis(100))), "");
        for (int i = 0; i < tasks; i++) {
            schedule(TYPE);
        }
        await().atMost(AT_MOST)
                .until(() -> attempts().stream().filter(attempt -> attempt == 2).count() == tasks);
        assertThat(client.channel().messageCount(seen)).isEqualTo(tasks);
    }

    @Test
    void aTaskOlderThanTheLimitIsParkedInsteadOfAskingAgain() throws Exception {
        work = (payload, task) -> Uni.createFrom().item(Outcome.again(Duration.ofHours(2)));
        assertThat(header(parked(schedule(TYPE)), ParkedMessage.REASON)).isEqualTo("too-old");
    }

    @Test
    void aTaskThatWasTooOldIsAsGoodAsNewWhenItIsReplayed() throws Exception {
        work = (payload, task) -> Uni.createFrom().item(task.attempt() < 3 ? Outcome.retry("not yet") : Outcome.done());
        long now = System.currentTimeMillis();
        String id = "old";
        client.channel()
                .basicPublish(
                        names.in(),
                        TYPE,
                        new AMQP.BasicProperties.Builder()
                                .messageId(id)
                                .headers(Map.of(
                                        Wire.SCHEDULED_AT,
                                        now - Duration.ofHours(2).toMillis(),
                                        Wire.DUE_AT,
                                        now))
                                .build(),
                        new byte[0]);
        await().atMost(AT_MOST).until(() -> parkedTasks.find(id).isPresent());
        assertThat(parkedTasks.find(id).orElseThrow().reason()).isEqualTo("too-old");
        RUNS.clear();
        parkedTasks.replay(id).await().atMost(AT_MOST);
        await().atMost(AT_MOST).untilAsserted(() -> assertThat(attempts()).containsExactly(1, 2, 3));
    }

    @Test
    void askingAgainAfterLongerThanAllowedParksTheTaskForHandlersOnly() throws Exception {
        work = (payload, task) -> Uni.createFrom().item(Outcome.again(Duration.ofDays(367)));
        GetResponse parked = parked(schedule(TYPE));
        assertThat(header(parked, ParkedMessage.REASON)).isEqualTo("failed");
        assertThat(header(parked, ParkedMessage.DETAIL)).contains("366d", "deferred.max-delay");
        assertThat(header(parked, Wire.EXCHANGE)).isEqualTo(names.retry());
    }

    @Test
    void aHugeFailureOfManyCausesDoesNotGrowTheHeadersWithTheAttempts() throws Exception {
        work = (payload, task) -> {
            Throwable cause = new IllegalStateException("root");
            for (int i = 0; i < 200; i++) {
                cause = new IllegalStateException("é".repeat(1_500), cause);
            }
            throw new IllegalStateException("ü".repeat(150_000), cause);
        };
        GetResponse parked = parked(schedule(TYPE));
        assertThat(header(parked, Wire.FIRST_FAILURE).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(2_048);
        assertThat(header(parked, Wire.LAST_FAILURE).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(2_048);
        assertThat(parked.getProps().getHeaders().keySet())
                .filteredOn(name -> name.startsWith("deferred-"))
                .hasSize(12);
    }

    @Test
    void aForgedAttemptNumberNeitherOverflowsNorRunsForEver() throws Exception {
        work = (payload, task) -> Uni.createFrom().item(Outcome.retry("no"));
        for (long forged : new long[] {1_000, Integer.MAX_VALUE}) {
            String id = "forged-" + forged;
            client.channel()
                    .basicPublish(
                            names.in(),
                            TYPE,
                            new AMQP.BasicProperties.Builder()
                                    .messageId(id)
                                    .headers(Map.of(Wire.ATTEMPT, forged, "x-death", List.of(Map.of("count", 99L))))
                                    .build(),
                            new byte[0]);
            assertThat(header(client.take(names.parked(), id), ParkedMessage.REASON))
                    .isEqualTo("failed");
        }
        assertThat(attempts()).containsExactly(1_000, Integer.MAX_VALUE);
    }

    @Test
    void aParkedTaskThatIsMovedBackByHandHasAllItsAttemptsBeforeIt() throws Exception {
        work = (payload, task) -> Uni.createFrom().item(Outcome.retry("no"));
        Task task = schedule(TYPE);
        for (String queue : List.of(names.tasks(), names.due())) {
            GetResponse parked = parked(task);
            RUNS.clear();
            client.channel().basicPublish("", queue, parked.getProps(), parked.getBody());
            await().atMost(AT_MOST).untilAsserted(() -> assertThat(attempts()).containsExactly(1, 2, 3));
            assertThat(RUNS).allMatch(run -> run.task().id().equals(task.id()));
        }
        assertThat(header(parked(task), Wire.ATTEMPT)).isEqualTo("3");
    }
}
