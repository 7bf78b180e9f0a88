package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.ServiceHttp;
import dev.deferred.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is parked, and its list, while the broker restarts or stands still. */
@NeedsBrokerNode
class ParkedIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration ANSWERED = Duration.ofSeconds(30);
    private static final int TASKS = 1_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private static FaultBench bench;

    @BeforeAll
    static void start() {
        bench = FaultBench.start("parked");
    }

    @AfterAll
    static void stop() throws IOException {
        bench.close();
    }

    private static List<String> listed(ServiceHttp service) throws IOException {
        List<String> ids = new ArrayList<>();
        for (JsonNode task : JSON.readTree(service.get("/parked").body()).path("tasks")) {
            ids.add(task.path("id").asText());
        }
        return ids;
    }

    private static List<String> listed() throws IOException {
        return listed(bench.service.http());
    }

    /** Parks tasks; returns the whole list when it has them. */
    private static List<String> parkMore(int count) throws IOException {
        bench.awaitReady();
        int before = listed().size();
        for (int i = 0; i < count; i++) {
            assertThat(bench.service
                            .http()
                            .post("nobody.takes-it", Duration.ZERO, "parked-" + i)
                            .join()
                            .answer())
                    .isEqualTo(Answer.ACCEPTED);
        }
        await().atMost(LIMIT).until(() -> listed().size() == before + count);
        return listed();
    }

    @Test
    void theListSurvivesARestartOfTheBrokerAndIsThereForAnotherInstance() throws Exception {
        List<String> before = parkMore(5);
        bench.broker.stop();
        await().atMost(LIMIT).until(() -> bench.service.http().get("/parked").statusCode() == 503);
        bench.startBrokerAgain();
        bench.awaitReady();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(listed()).isEqualTo(before));
        List<String> grown = parkMore(1);
        assertThat(grown.subList(1, grown.size())).isEqualTo(before);
        Map<String, String> settings = Map.of(
                "rabbitmq-host",
                bench.broker.host(),
                "rabbitmq-port",
                String.valueOf(bench.broker.port()),
                "deferred.tiers",
                FaultBench.TIERS);
        try (ServiceProcess another = ServiceProcess.start("parked-another", settings)) {
            await().atMost(LIMIT).until(another.http()::isReady);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(listed(another.http())).isEqualTo(grown));
        }
    }

    @Test
    void aFrozenBrokerHangsNoReplayAndNothingLeavesTheQueue() throws Exception {
        String id = parkMore(1).get(0);
        bench.broker.freeze();
        try {
            for (String path : List.of("/parked/" + id + "/replay", "/parked/replay?type=nobody.takes-it")) {
                HttpResponse<String> answer = bench.service.http().send("POST", path, ANSWERED);
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            }
        } finally {
            bench.broker.thaw();
        }
        bench.awaitReady();
        assertThat(bench.service
                        .http()
                        .send("DELETE", "/parked/" + id, ANSWERED)
                        .statusCode())
                .isEqualTo(204);
        assertThat(bench.service
                        .http()
                        .send("DELETE", "/parked/" + id, ANSWERED)
                        .statusCode())
                .isEqualTo(404);
    }

    /** Whatever was replayed and still lies in the parking queue is replayed again: it comes twice, under one id. */
    @Test
    void connectionsThatAreCutDuringAReplayLoseNothing() throws Exception {
        bench.awaitReady();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(bench.broker.host());
        factory.setPort(bench.broker.port());
        try (Connection connection = factory.newConnection("binds late")) {
            Channel channel = connection.createChannel();
            for (int i = 0; i < TASKS; i++) {
                channel.basicPublish("deferred.in", "taken.later", null, new byte[] {1});
            }
            await().atMost(LIMIT).until(() -> channel.messageCount("deferred.parked") >= TASKS);
            List<String> parked = ids(channel, "deferred.parked", false);
            channel.queueDeclare("late", true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind("late", "deferred.tasks", "taken.later");
            CompletableFuture<HttpResponse<String>> replay = CompletableFuture.supplyAsync(ParkedIT::replayAll);
            await().atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> channel.messageCount("late") > 0 || replay.isDone());
            bench.proxy.reset();
            assertThat(replay.join().body()).doesNotContain("\"moreLeft\":false");
            await().atMost(LIMIT).until(() -> {
                HttpResponse<String> again = replayAll();
                return again.statusCode() == 200
                        && again.body().contains("\"moreLeft\":false")
                        && channel.messageCount("deferred.parked") == 0;
            });
            List<String> released = new ArrayList<>();
            await().atMost(LIMIT).until(() -> {
                released.addAll(ids(channel, "late", true));
                return new HashSet<>(released).size() >= parked.size();
            });
            assertThat(released).hasSizeGreaterThanOrEqualTo(parked.size()).containsAll(parked);
        }
    }

    private static HttpResponse<String> replayAll() {
        try {
            return bench.service.http().send("POST", "/parked/replay?type=taken.later", ANSWERED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The ids of all that is ready; what is not taken is put back. */
    private static List<String> ids(Channel channel, String queue, boolean take) throws IOException {
        List<String> ids = new ArrayList<>();
        for (GetResponse next = channel.basicGet(queue, take); next != null; next = channel.basicGet(queue, take)) {
            ids.add(next.getProps().getMessageId());
        }
        if (!take) {
            channel.basicRecover(true);
        }
        return ids;
    }
}
