package dev.deferred.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import dev.deferred.amqp.ParkReason;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Outcome;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.scheduling.Names;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.Parking;
import dev.deferred.scheduling.Scheduler;
import dev.deferred.scheduling.SchedulingConfig;
import dev.deferred.testing.Broker;
import dev.deferred.testing.PlainClient;
import dev.deferred.work.TaskHandler;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is parked, over REST, on a real broker. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(ParkedResourceTest.OneAttempt.class)
class ParkedResourceTest {
    private static final Duration AT_MOST = Duration.ofSeconds(30);
    private static final String TYPE = "parked.any";

    /** Failed work is parked soon. */
    public static class OneAttempt implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "deferred.tiers", "50ms,100ms,1s",
                    "deferred.retry.max-attempts", "2",
                    "deferred.retry.delay", "50ms");
        }
    }

    private static final Queue<Task> RUNS = new ConcurrentLinkedQueue<>();
    private static volatile boolean failing;

    /** Fails as long as the test says. */
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
            RUNS.add(task);
            return Uni.createFrom().item(failing ? Outcome.retry("no " + task.attempt()) : Outcome.done());
        }
    }

    @Inject
    NewTasks newTasks;

    @Inject
    Scheduler scheduler;

    @Inject
    Parking parking;

    @Inject
    SchedulingConfig config;

    @Inject
    Config mpConfig;

    private Names names;
    private PlainClient client;

    @BeforeEach
    void connect() throws Exception {
        await().atMost(AT_MOST).until(() -> given().get("/q/health/ready").statusCode() == 200);
        names = new Names(config.prefix());
        client = new PlainClient(mpConfig);
        client.channel().queuePurge(names.parked());
        RUNS.clear();
        failing = false;
    }

    @AfterEach
    void leave() throws IOException {
        client.close();
    }

    private Task park(String type, String payload) {
        Task task = newTasks.after(newTasks.newId(), type, Duration.ZERO, Payload.json(payload));
        parking.park(task, ParkReason.ASKED, "by the test").await().atMost(AT_MOST);
        return task;
    }

    private List<String> parkMany(String type, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> park(type, "\"" + i + "\"").id().value())
                .toList();
    }

    private static List<String> ids(Response page) {
        return page.then().statusCode(200).extract().path("tasks.id");
    }

    private static void awaitListed(String id) {
        await().atMost(AT_MOST).until(() -> given().get("/parked/" + id).statusCode() == 200);
    }

    private static List<String> reversed(List<String> list) {
        List<String> reversed = new ArrayList<>(list);
        java.util.Collections.reverse(reversed);
        return reversed;
    }

    /** All that is ready in the parking queue, taken out of it. */
    private List<GetResponse> drain() throws IOException {
        List<GetResponse> all = new ArrayList<>();
        for (GetResponse next = get(); next != null; next = get()) {
            all.add(next);
        }
        return all;
    }

    private GetResponse get() throws IOException {
        return client.channel().basicGet(names.parked(), true);
    }

    private static List<String> idsOf(List<GetResponse> messages) {
        return messages.stream().map(it -> it.getProps().getMessageId()).toList();
    }

    private void awaitReady(int count) {
        await().atMost(AT_MOST)
                .until(() -> given().get("/parked?limit=1").then().extract().<Integer>path("parked") == count);
    }

    @Test
    void theNewestComesFirstPageByPageAndTheQueueIsNotTouched() throws IOException {
        List<String> ids = parkMany("parked.paged", 5);
        awaitListed(ids.get(4));
        awaitReady(5);
        Response first = given().get("/parked?limit=2");
        assertThat(ids(first)).containsExactly(ids.get(4), ids.get(3));
        Response second =
                given().queryParam("before", first.<String>path("next")).get("/parked?limit=2");
        assertThat(ids(second)).containsExactly(ids.get(2), ids.get(1));
        assertThat(ids(given().get("/parked")).subList(0, 5)).isEqualTo(reversed(ids));
        List<GetResponse> untouched = drain();
        assertThat(idsOf(untouched)).isEqualTo(ids);
        assertThat(untouched).noneMatch(it -> it.getEnvelope().isRedeliver());
    }

    @Test
    void allThatIsNotedOfATaskIsShown() {
        failing = true;
        Task task = newTasks.after(newTasks.newId(), TYPE, Duration.ZERO, Payload.json("\"five\""));
        scheduler.schedule(task).await().atMost(AT_MOST);
        String id = task.id().value();
        awaitListed(id);
        given().get("/parked/" + id)
                .then()
                .body("id", equalTo(id))
                .body("type", equalTo(TYPE))
                .body("routingKey", equalTo(TYPE))
                .body("exchange", equalTo(names.retry()))
                .body("reason", equalTo("failed"))
                .body("detail", containsString("attempt 2 of 2 failed"))
                .body("attempts", equalTo(2))
                .body("firstFailure.failure", containsString("no 1"))
                .body("lastFailure.failure", containsString("no 2"))
                .body("scheduledAt", equalTo(Instants.write(task.scheduledAtMillis())))
                .body("contentType", equalTo("application/json"))
                .body("payloadBytes", equalTo(6));
    }

    @Test
    void whatIsNoTaskIsListedToo() throws IOException {
        client.channel()
                .basicPublish(
                        names.in(),
                        TYPE,
                        new AMQP.BasicProperties.Builder()
                                .messageId("odd")
                                .headers(Map.of("x-delay", "soon"))
                                .build(),
                        new byte[] {1, 2, 3});
        awaitListed("odd");
        given().get("/parked/odd")
                .then()
                .body("reason", equalTo("refused"))
                .body("payloadBytes", equalTo(3))
                .body("$", org.hamcrest.Matchers.not(org.hamcrest.Matchers.hasKey("attempts")));
    }

    @Test
    void aReplayedTaskRunsAgainUnderItsIdWithAllItsAttemptsBeforeIt() {
        failing = true;
        Task task = newTasks.after(newTasks.newId(), TYPE, Duration.ZERO, Payload.json("\"x\""));
        scheduler.schedule(task).await().atMost(AT_MOST);
        awaitListed(task.id().value());
        RUNS.clear();
        failing = false;
        given().post("/parked/" + task.id() + "/replay")
                .then()
                .statusCode(200)
                .body("replayed", equalTo(1))
                .body("moreLeft", equalTo(false));
        await().atMost(AT_MOST).until(() -> RUNS.size() == 1);
        assertThat(RUNS.peek().id()).isEqualTo(task.id());
        assertThat(RUNS.peek().attempt()).isEqualTo(1);
        assertThat(RUNS.peek().attempts().first()).isEmpty();
        assertThat(RUNS.peek().payload()).isEqualTo(task.payload());
        given().get("/parked/" + task.id()).then().statusCode(404);
        awaitReady(0);
    }

    @Test
    void aTaskThatFailsAgainAfterItsReplayIsParkedAndListedAgain() {
        failing = true;
        String id = park(TYPE, "\"x\"").id().value();
        awaitListed(id);
        String before = given().get("/parked/" + id).path("parkedAt");
        given().post("/parked/" + id + "/replay").then().statusCode(200);
        await().atMost(AT_MOST)
                .untilAsserted(() -> assertThat(given().get("/parked/" + id).<String>path("parkedAt"))
                        .isNotNull()
                        .isGreaterThan(before));
        assertThat(given().get("/parked/" + id).<Integer>path("attempts")).isEqualTo(2);
    }

    @Test
    void aReplayByTypeTakesThatTypeAndLeavesTheOthersInTheirOrder() throws IOException {
        List<String> others = new ArrayList<>();
        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(park("parked.other", "\"other " + i + "\"").id().value());
            wanted.add(park(TYPE, "\"x\"").id().value());
        }
        given().post("/parked/replay?type=" + TYPE)
                .then()
                .statusCode(200)
                .body("replayed", equalTo(20))
                .body("moreLeft", equalTo(false));
        await().atMost(AT_MOST).until(() -> RUNS.size() == 20);
        assertThat(RUNS).extracting(task -> task.id().value()).containsExactlyInAnyOrderElementsOf(wanted);
        awaitReady(20);
        List<GetResponse> left = drain();
        assertThat(idsOf(left)).isEqualTo(others);
        assertThat(new String(left.get(7).getBody(), java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("\"other 7\"");
        assertThat(left.get(7).getProps().getHeaders()).containsKeys(Wire.DUE_AT, "deferred-parked-reason");
        assertThat(left.get(7).getEnvelope().getRoutingKey()).isEqualTo("parked.other");
    }

    @Test
    void whatCantBecomeATaskStaysParkedUntilItIsDiscarded() throws IOException {
        client.channel()
                .basicPublish(
                        names.in(),
                        TYPE,
                        new AMQP.BasicProperties.Builder()
                                .messageId("forbidden")
                                .headers(Map.of(Wire.EXCHANGE, "nobody-allowed-this"))
                                .build(),
                        "\"x\"".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        awaitListed("forbidden");
        given().post("/parked/forbidden/replay")
                .then()
                .statusCode(409)
                .contentType("application/problem+json")
                .body("detail", containsString("nobody-allowed-this"));
        given().post("/parked/replay?type=" + TYPE)
                .then()
                .statusCode(200)
                .body("replayed", equalTo(0))
                .body("skipped", equalTo(1))
                .body("moreLeft", equalTo(false));
        given().delete("/parked/forbidden").then().statusCode(204);
        assertThat(drain()).isEmpty();
    }

    @Test
    void oneFromTheMiddleIsDiscardedAndTheOthersKeepTheirOrder() throws IOException {
        List<String> ids = parkMany("parked.discarded", 5);
        awaitListed(ids.get(2));
        given().delete("/parked/" + ids.get(2)).then().statusCode(204);
        given().get("/parked/" + ids.get(2)).then().statusCode(404);
        given().delete("/parked/" + ids.get(2)).then().statusCode(404);
        awaitReady(4);
        assertThat(idsOf(drain())).containsExactly(ids.get(0), ids.get(1), ids.get(3), ids.get(4));
        assertThat(RUNS).isEmpty();
    }

    @Test
    void replaysAtTheSameTimeNeitherLoseNorRepeatATask() {
        List<String> ids = parkMany(TYPE, 100);
        List<CompletableFuture<Integer>> replays = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> given().post("/parked/replay?type=" + TYPE)
                        .then()
                        .statusCode(200)
                        .extract()
                        .<Integer>path("replayed")))
                .toList();
        assertThat(replays.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(100);
        await().atMost(AT_MOST).until(() -> RUNS.size() >= 100);
        awaitReady(0);
        assertThat(RUNS).extracting(task -> task.id().value()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void whatIsMovedBackByHandRunsWithAllItsAttemptsBeforeItAndLeavesTheList() throws IOException {
        for (String queue : List.of(names.due(), names.tasks())) {
            failing = true;
            Task task = newTasks.after(newTasks.newId(), TYPE, Duration.ZERO, Payload.json("\"x\""));
            scheduler.schedule(task).await().atMost(AT_MOST);
            String id = task.id().value();
            awaitListed(id);
            assertThat(given().get("/parked/" + id).<Integer>path("attempts")).isEqualTo(2);
            RUNS.clear();
            failing = false;
            GetResponse moved = client.take(names.parked(), id);
            client.channel().basicPublish("", queue, moved.getProps(), moved.getBody());
            await().atMost(AT_MOST).until(() -> given().get("/parked/" + id).statusCode() == 404);
            await().atMost(AT_MOST).until(() -> RUNS.size() == 1);
            Task run = RUNS.remove();
            assertThat(run.id()).isEqualTo(task.id());
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.attempts().first()).isEmpty();
            assertThat(run.destination().routingKey()).isEqualTo(TYPE);
            assertThat(run.payload()).isEqualTo(task.payload());
        }
    }

    @Test
    void whatTheBrokerParkedIsCountedAsUnlistedAndCanBeReplayed() throws IOException {
        int listed = given().get("/parked").path("listed");
        for (int i = 0; i <= listed; i++) {
            client.channel()
                    .basicPublish(
                            names.parked(),
                            TYPE,
                            new AMQP.BasicProperties.Builder()
                                    .messageId("by-the-broker-" + i)
                                    .build(),
                            "\"x\"".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        awaitReady(listed + 1);
        assertThat(given().get("/parked").<Integer>path("unlisted")).isEqualTo(1);
        given().get("/parked/by-the-broker-0").then().statusCode(404);
        given().post("/parked/by-the-broker-0/replay").then().statusCode(200);
        await().atMost(AT_MOST).until(() -> RUNS.size() == 1);
        assertThat(RUNS.peek().id().value()).isEqualTo("by-the-broker-0");
    }

    @Test
    void whatAnotherConsumerHasInHandIsNotSaidToBeUnknown() throws IOException {
        String id = park(TYPE, "\"x\"").id().value();
        String tag = client.channel().basicConsume(names.parked(), false, (t, delivery) -> {}, t -> {});
        awaitReady(0);
        given().post("/parked/" + id + "/replay")
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .header("Retry-After", "5")
                .body("reason", equalTo("queue-in-use"));
        client.channel().basicCancel(tag);
        client.channel().basicRecover(true);
        await().atMost(AT_MOST).until(() -> given().delete("/parked/" + id).statusCode() == 204);
    }

    @Test
    void anUnknownIdIsToldWithWhatToDo() {
        for (Response answer : List.of(
                given().get("/parked/nobody"),
                given().post("/parked/nobody/replay"),
                given().delete("/parked/nobody"))) {
            answer.then()
                    .statusCode(404)
                    .contentType("application/problem+json")
                    .body("detail", containsString("GET /parked"));
        }
        given().post("/parked/replay?type=nobody").then().statusCode(200).body("replayed", equalTo(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=201", "limit=ten", "before=-1", "before=x"})
    void aPageThatIsNoneIsRefused(String query) {
        given().get("/parked?" + query)
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("detail", containsString(query.substring(0, query.indexOf('='))));
    }

    @Test
    void theSmallestAndTheLargestPageAreAnswered() {
        awaitListed(park("parked.ends", "1").id().value());
        given().get("/parked?limit=1").then().statusCode(200).body("tasks", hasSize(1));
        given().get("/parked?limit=200").then().statusCode(200);
        given().get("/parked?before=0").then().statusCode(200).body("tasks", hasSize(0));
    }

    @ParameterizedTest
    @CsvSource({
        "/parked,'GET, HEAD, OPTIONS'",
        "/parked/any,'DELETE, GET, HEAD, OPTIONS'",
        "/parked/any/replay,'OPTIONS, POST'"
    })
    void anotherMethodIsRefusedWithThoseThatThereAre(String path, String allowed) {
        given().put(path)
                .then()
                .statusCode(405)
                .contentType("application/problem+json")
                .header("Allow", equalTo(allowed));
    }

    @Test
    void aReplayOfEverythingIsNotOnOffer() {
        given().post("/parked/replay")
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("detail", containsString("type"));
    }
}
