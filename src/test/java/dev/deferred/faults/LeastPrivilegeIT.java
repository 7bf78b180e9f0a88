package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.Evidence;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.NeverEarly;
import dev.deferred.testing.OutsideConsumer;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.Seen;
import dev.deferred.testing.Seen.Place;
import dev.deferred.testing.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An administrator's run of the service made the topology; the one that works may declare nothing. */
@NeedsBrokerNode
class LeastPrivilegeIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Map<String, Object> FIVE_SECONDS = Map.of(
            "x-queue-type", "quorum",
            "x-message-ttl", 5_000L,
            "x-dead-letter-exchange", "deferred.in",
            "x-dead-letter-strategy", "at-least-once",
            "x-overflow", "reject-publish");

    private static BrokerNode broker;
    private static ServiceProcess service;

    @BeforeAll
    static void start() {
        broker = BrokerNode.start();
        try (ServiceProcess administrator = startService("administrator", "guest", "guest", true)) {
            await().atMost(LIMIT).until(administrator.http()::isReady);
        }
        broker.ctl("add_user", "shop", "right");
        broker.ctl("set_permissions", "shop", "^$", "^deferred\\.", "^deferred\\.");
        service = startService("least-privilege", "shop", "right", false);
        await().atMost(LIMIT).until(service.http()::isReady);
    }

    @AfterAll
    static void stop() {
        service.close();
        broker.close();
    }

    @Test
    void onlyWhatTheSettingsNameWasDeclared() {
        assertThat(broker.ctl("list_queues", "name").lines().filter(name -> name.startsWith("deferred.")))
                .containsExactlyInAnyOrder(
                        "deferred.due",
                        "deferred.tasks",
                        "deferred.parked",
                        "deferred.parked.log",
                        "deferred.suspects",
                        "deferred.delay.1s",
                        "deferred.delay.2s",
                        "deferred.delay.5s");
    }

    @Test
    void tasksAreScheduledFiredAndParked() {
        Evidence evidence = new Evidence();
        try (OutsideConsumer consumer = OutsideConsumer.start(broker, "least", evidence)) {
            evidence.add(post("least", Duration.ofMillis(2_300), "fires"));
            evidence.add(post("nobody.takes-it", Duration.ofSeconds(1), "parked"));
            await().atMost(LIMIT).until(() -> evidence.missing().isEmpty());
            assertThat(evidence.sightings("fires")).extracting(Seen::place).containsExactly(Place.DESTINATION);
            assertThat(evidence.sightings("parked")).extracting(Seen::place).containsExactly(Place.PARKED);
            new NeverEarly(evidence).check();
            await().atMost(LIMIT).untilAsserted(() -> assertThat(
                            service.http().get("/parked").body())
                    .contains("\"type\":\"nobody.takes-it\"", "\"reason\":\"unroutable\""));
            assertThat(consumer).isNotNull();
        }
    }

    @Test
    void aMissingBindingIsToldByTheFirstTaskAndInReadiness() throws Exception {
        try (Connection connection = asAdministrator()) {
            Channel channel = connection.createChannel();
            channel.queueUnbind("deferred.delay.1s", "deferred.delay.1s", "#");
            Produced refused = post("least", Duration.ofSeconds(1), "no-binding");
            assertThat(refused.answer()).isEqualTo(Answer.REFUSED);
            assertThat(refused.detail()).contains("\"reason\":\"unroutable\"");
            assertThat(service.http().isReady()).isFalse();
            assertThat(readiness()).contains("delay-1s", "deferred.delay.1s");
            assertThat(post("least", Duration.ofSeconds(2), "other-tier").answer())
                    .isEqualTo(Answer.ACCEPTED);
            channel.queueBind("deferred.delay.1s", "deferred.delay.1s", "#");
            assertThat(post("least", Duration.ofSeconds(1), "bound-again").answer())
                    .isEqualTo(Answer.ACCEPTED);
            await().atMost(LIMIT).until(service.http()::isReady);
        }
    }

    @Test
    void aQueueAndAnExchangeThatGoMissingAreNamedUntilTheyAreBack() throws Exception {
        try (Connection connection = asAdministrator()) {
            Channel channel = connection.createChannel();
            channel.queueDelete("deferred.delay.5s");
            assertThat(post("least", Duration.ofSeconds(5), "no-queue").answer())
                    .isEqualTo(Answer.REFUSED);
            awaitReadinessNaming("queue 'deferred.delay.5s'");
            channel.exchangeDelete("deferred.delay.5s");
            Produced refused = post("least", Duration.ofSeconds(5), "no-exchange");
            assertThat(refused.answer()).isEqualTo(Answer.REFUSED);
            assertThat(refused.detail()).contains("\"reason\":\"unroutable\"");
            awaitReadinessNaming("exchange 'deferred.delay.5s'");
            assertThat(post("least", Duration.ofSeconds(2), "beside").answer()).isEqualTo(Answer.ACCEPTED);
            channel.exchangeDeclare("deferred.delay.5s", "fanout", true);
            channel.queueDeclare("deferred.delay.5s", true, false, false, FIVE_SECONDS);
            channel.queueBind("deferred.delay.5s", "deferred.delay.5s", "#");
            await().atMost(LIMIT).until(service.http()::isReady);
            assertThat(post("least", Duration.ofSeconds(5), "back").answer()).isEqualTo(Answer.ACCEPTED);
        }
    }

    @Test
    void aReplayThatFindsNoExchangeLeavesTheTaskParked() throws Exception {
        assertThat(post("nobody.replays-it", Duration.ZERO, "stays").answer()).isEqualTo(Answer.ACCEPTED);
        await().atMost(LIMIT).until(() -> !parked("nobody.replays-it").isMissingNode());
        String id = parked("nobody.replays-it").path("id").asText();
        String before = parked("nobody.replays-it").path("parkedAt").asText();
        try (Connection connection = asAdministrator()) {
            Channel channel = connection.createChannel();
            channel.exchangeDelete("deferred.in");
            HttpResponse<String> refused = replay(id);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.body()).contains("\"reason\":\"unroutable\"", "still parked");
            assertThat(parked("nobody.replays-it").path("parkedAt").asText()).isEqualTo(before);
            channel.exchangeDeclare(
                    "deferred.in", "topic", true, false, Map.of("alternate-exchange", "deferred.parked"));
            channel.queueBind("deferred.due", "deferred.in", "#");
        }
        await().atMost(LIMIT).until(service.http()::isReady);
        await().atMost(LIMIT).until(() -> replay(id).statusCode() == 200);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(
                        parked("nobody.replays-it").path("parkedAt").asText())
                .isGreaterThan(before));
    }

    private static HttpResponse<String> replay(String id) throws IOException {
        return service.http().send("POST", "/parked/" + id + "/replay", LIMIT);
    }

    /** The newest that is parked of a type; missing when there is none. */
    private static JsonNode parked(String type) throws IOException {
        for (JsonNode task : JSON.readTree(service.http().get("/parked").body()).path("tasks")) {
            if (task.path("type").asText().equals(type)) {
                return task;
            }
        }
        return MissingNode.getInstance();
    }

    private static ServiceProcess startService(String name, String username, String password, boolean declare) {
        return ServiceProcess.start(
                name,
                Map.of(
                        "rabbitmq-host",
                        broker.host(),
                        "rabbitmq-port",
                        String.valueOf(broker.port()),
                        "rabbitmq-username",
                        username,
                        "rabbitmq-password",
                        password,
                        "deferred.tiers",
                        FaultBench.TIERS,
                        "deferred.declare",
                        String.valueOf(declare)));
    }

    private static Produced post(String type, Duration delay, String ref) {
        return service.http().post(type, delay, ref).join();
    }

    private static void awaitReadinessNaming(String text) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(readiness()).contains(text));
    }

    private static String readiness() throws IOException {
        return service.http().get("/q/health/ready").body();
    }

    private static Connection asAdministrator() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        return factory.newConnection("administrator");
    }
}
