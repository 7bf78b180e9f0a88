package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.deferred.faults.handlers.Halting;
import dev.deferred.faults.handlers.NotedRuns;
import dev.deferred.faults.handlers.NotedRuns.Run;
import dev.deferred.faults.handlers.Working;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.QuorumLeaders;
import dev.deferred.testing.ServiceProcess;
import dev.deferred.testing.ServiceWithHandlers;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Work that fails, in a service that is killed or that its own work kills: every task ends done or parked, in bounded attempts. */
@NeedsBrokerNode
class FailingWorkIT {
    private static final long SEED = Long.getLong("faults.seed", 20_260_102L);
    private static final int MOST_ATTEMPTS = 4;
    private static final int KILLS = 4;
    private static final Duration AT_MOST = Duration.ofMinutes(4);

    private static Path service;

    private BrokerNode broker;
    private ServiceProcess process;
    private Path runs;

    @BeforeAll
    static void packageTheHandlers() throws Exception {
        service = ServiceWithHandlers.packaged(Halting.class.getPackage());
    }

    @BeforeEach
    void start(TestInfo test) throws IOException {
        runs = Path.of("target", "runs-" + test.getTestMethod().orElseThrow().getName());
        Files.deleteIfExists(runs);
        broker = BrokerNode.start();
        process = ServiceProcess.start(
                service,
                "failing-work",
                Map.of(
                        "rabbitmq-host",
                        "127.0.0.1",
                        "rabbitmq-port",
                        String.valueOf(broker.port()),
                        "deferred.tiers",
                        "200ms,500ms,1s,5s",
                        "deferred.retry.max-attempts",
                        String.valueOf(MOST_ATTEMPTS),
                        "deferred.retry.delay",
                        "700ms",
                        "deferred.retry.factor",
                        "1.5",
                        NotedRuns.FILE,
                        runs.toAbsolutePath().toString()));
        awaitReady();
    }

    @AfterEach
    void stop() {
        process.close();
        broker.close();
    }

    private void awaitReady() {
        await("the service to be ready").atMost(Duration.ofMinutes(1)).until(process.http()::isReady);
    }

    @Test
    void theTaskThatKillsTheProcessIsParkedAfterItsAttemptsAndAllOthersAreDone() throws Exception {
        Set<String> others = new HashSet<>();
        Instant together = Instant.now().plusSeconds(8); // all are posted by then
        for (int i = 0; i < 60; i++) {
            others.add(postAt(together, Working.TYPE, "100"));
        }
        String halting = postAt(together, Halting.TYPE, "\"x\"");
        for (int i = 0; i < 60; i++) {
            others.add(postAt(together, Working.TYPE, "100"));
        }
        await("the halting task to be parked").atMost(AT_MOST).until(() -> {
            if (!process.isAlive()) {
                process.launch();
            }
            return depth("deferred.parked") > 0;
        });
        await("the others to be done").atMost(AT_MOST).until(() -> ids("done").containsAll(others));
        Map<String, GetResponse> parked = parked();
        assertThat(parked.keySet()).containsExactly(halting);
        assertThat(parked.get(halting).getProps().getHeaders().get("deferred-parked-reason"))
                .hasToString("crashed");
        assertThat(noted().stream().filter(run -> run.what().equals("halts")))
                .extracting(Run::attempt)
                .doesNotHaveDuplicates()
                .hasSizeBetween(2, MOST_ATTEMPTS)
                .allMatch(attempt -> attempt <= MOST_ATTEMPTS);
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void tasksOfWhichAThirdFailAllEndDoneOrParkedHoweverOftenTheServiceIsKilled() throws Exception {
        System.out.println("Killing the service at random points, -Dfaults.seed=" + SEED);
        Random random = new Random(SEED);
        Map<String, Boolean> fails = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            int millis = 1 + random.nextInt(300);
            fails.put(post(Working.TYPE, random.nextInt(4_000) + "ms", String.valueOf(millis)), millis % 3 == 0);
        }
        long failing = fails.values().stream().filter(fail -> fail).count();
        for (int kill = 0; kill < KILLS; kill++) {
            int goal = noted().size() + 50 + random.nextInt(150);
            await("more runs, or the end of all that fail")
                    .atMost(AT_MOST)
                    .until(() -> noted().size() >= goal || depth("deferred.parked") >= failing);
            process.kill();
            process.startAgain();
        }
        await("every task to end").atMost(AT_MOST).until(() -> {
            Set<String> ended = ids("done");
            ended.addAll(parked().keySet());
            return ended.containsAll(fails.keySet());
        });
        Map<String, GetResponse> parked = parked();
        Set<String> done = ids("done");
        fails.forEach((id, fail) -> {
            if (fail) {
                assertThat(parked).as("a failing task").containsKey(id);
                assertThat(done).doesNotContain(id);
            } else {
                assertThat(done.contains(id) || parked.containsKey(id)).as(id).isTrue();
            }
        });
        assertThat(parked.keySet()).isSubsetOf(fails.keySet());
        assertThat(parked.keySet())
                .as("of those that don't fail, a kill can be blamed on the one that ran alone")
                .filteredOn(id -> !fails.get(id))
                .hasSizeLessThanOrEqualTo(KILLS);
        assertThat(noted()).allMatch(run -> run.attempt() >= 1 && run.attempt() <= MOST_ATTEMPTS);
    }

    @Test
    void whatHadNotBegunWhenTheServiceStopsInOrderHasAllItsAttemptsBeforeIt() throws Exception {
        Set<String> tasks = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            tasks.add(post(Working.TYPE, "1s", "1000"));
        }
        for (int stop = 0; stop < 2; stop++) {
            int goal = noted().size() + 60;
            await("more runs").atMost(AT_MOST).until(() -> noted().size() >= goal);
            process.stop();
            process.startAgain();
        }
        await("all to be done").atMost(AT_MOST).until(() -> ids("done").containsAll(tasks));
        assertThat(noted()).extracting(Run::attempt).containsOnly(1);
        assertThat(parked()).isEmpty();
    }

    @Test
    void failingTasksSurviveACrashOfTheBroker() throws Exception {
        Map<String, Boolean> fails = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            fails.put(post(Working.TYPE, i * 20 + "ms", String.valueOf(1 + i)), (1 + i) % 3 == 0);
        }
        for (int kill = 0; kill < 2; kill++) {
            int goal = noted().size() + 100;
            await("more runs").atMost(AT_MOST).until(() -> noted().size() >= goal);
            broker.kill();
            broker.startAgain();
            QuorumLeaders.elect(broker);
            awaitReady();
        }
        Set<String> failing =
                new HashSet<>(fails.keySet().stream().filter(fails::get).toList());
        await("every task to end").atMost(Duration.ofMinutes(5)).untilAsserted(() -> {
            assertThat(ids("done")).hasSize(fails.size() - failing.size());
            assertThat(parked().keySet()).isEqualTo(failing); // after a crash some may be there twice
        });
        assertThat(noted()).allMatch(run -> run.attempt() >= 1 && run.attempt() <= MOST_ATTEMPTS);
    }

    private String post(String type, String delay, String payload) throws IOException {
        return post("{\"type\":\"%s\",\"delay\":\"%s\",\"payload\":%s}".formatted(type, delay, payload));
    }

    private String postAt(Instant at, String type, String payload) throws IOException {
        return post("{\"type\":\"%s\",\"at\":\"%s\",\"payload\":%s}".formatted(type, at, payload));
    }

    private String post(String body) throws IOException {
        HttpResponse<String> answer = process.http().post(body).join();
        assertThat(answer.statusCode()).isEqualTo(202);
        return new ObjectMapper().readTree(answer.body()).get("id").asText();
    }

    private List<Run> noted() {
        return NotedRuns.in(runs);
    }

    private Set<String> ids(String what) {
        Set<String> ids = new HashSet<>();
        noted().stream().filter(run -> run.what().equals(what)).forEach(run -> ids.add(run.id()));
        return ids;
    }

    private long depth(String queue) throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            return channel.messageCount(queue);
        }
    }

    private Map<String, GetResponse> parked() throws Exception {
        Map<String, GetResponse> parked = new HashMap<>();
        List<GetResponse> all = new ArrayList<>();
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            for (GetResponse next; (next = channel.basicGet("deferred.parked", false)) != null; ) {
                all.add(next);
            }
        }
        all.forEach(message -> parked.put(message.getProps().getMessageId(), message));
        return parked;
    }

    private Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        return factory.newConnection();
    }
}
