package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.AMQP;
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
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
        try (ServiceProcess another = startAnother()) {
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
        try (Connection connection = connect()) {
            Channel channel = connection.createChannel();
            for (int i = 0; i < TASKS; i++) {
                channel.basicPublish("deferred.in", "taken.later", null, new byte[] {1});
            }
            await().atMost(LIMIT).until(() -> channel.messageCount("deferred.parked") >= TASKS);
            List<String> parked = ids(channel, "deferred.parked", false);
            channel.queueDeclare("late", true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind("late", "deferred.tasks", "taken.later");
            CompletableFuture<HttpResponse<String>> replay =
                    CompletableFuture.supplyAsync(() -> replayAll(bench.service.http(), "taken.later"));
            await().atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> channel.messageCount("late") > 0 || replay.isDone());
            bench.proxy.reset();
            assertThat(replay.join().body()).doesNotContain("\"moreLeft\":false");
            await().atMost(LIMIT).until(() -> {
                HttpResponse<String> again = replayAll(bench.service.http(), "taken.later");
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

    /** Who is told that more may be left repeats the request; without a fault each task comes exactly once. */
    @Test
    void twoInstancesThatReplayAtTheSameTimeNeitherLoseNorRepeatATask() throws Exception {
        bench.awaitReady();
        try (ServiceProcess another = startAnother();
                Connection connection = connect()) {
            await().atMost(LIMIT).until(another.http()::isReady);
            Channel channel = connection.createChannel();
            long parkedBefore = channel.messageCount("deferred.parked");
            List<String> ids =
                    IntStream.range(0, TASKS).mapToObj(i -> "both-" + i).toList();
            for (String id : ids) {
                AMQP.BasicProperties named =
                        new AMQP.BasicProperties.Builder().messageId(id).build();
                channel.basicPublish("deferred.in", "taken.by-two", named, new byte[] {1});
            }
            await().atMost(LIMIT).until(() -> channel.messageCount("deferred.parked") == parkedBefore + TASKS);
            channel.queueDeclare("both", true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind("both", "deferred.tasks", "taken.by-two");
            List<CompletableFuture<Integer>> replays = Stream.of(bench.service, another)
                    .map(service -> CompletableFuture.supplyAsync(() -> replayUntilNoneIsLeft(service.http())))
                    .toList();
            assertThat(replays.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(TASKS);
            await().atMost(LIMIT).until(() -> channel.messageCount("both") == TASKS);
            assertThat(ids(channel, "both", true)).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(channel.messageCount("deferred.parked")).isEqualTo(parkedBefore);
            for (ServiceProcess service : List.of(bench.service, another)) {
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(listed(service.http())).noneMatch(ids::contains));
            }
        }
    }

    /** How many it replayed. */
    private static int replayUntilNoneIsLeft(ServiceHttp service) {
        AtomicInteger replayed = new AtomicInteger();
        await().atMost(LIMIT).until(() -> {
            HttpResponse<String> answer = replayAll(service, "taken.by-two");
            assertThat(answer.statusCode()).isEqualTo(200);
            JsonNode said = JSON.readTree(answer.body());
            replayed.addAndGet(said.path("replayed").asInt());
            return !said.path("moreLeft").asBoolean();
        });
        return replayed.get();
    }

    private static ServiceProcess startAnother() {
        return ServiceProcess.start(
                "parked-another",
                Map.of(
                        "rabbitmq-host",
                        bench.broker.host(),
                        "rabbitmq-port",
                        String.valueOf(bench.broker.port()),
                        "deferred.tiers",
                        FaultBench.TIERS));
    }

    private static Connection connect() throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(bench.broker.host());
        factory.setPort(bench.broker.port());
        return factory.newConnection("binds late");
    }

    private static HttpResponse<String> replayAll(ServiceHttp service, String type) {
        try {
            return service.send("POST", "/parked/replay?type=" + type, ANSWERED);
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
