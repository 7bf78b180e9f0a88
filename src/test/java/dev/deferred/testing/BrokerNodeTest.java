package dev.deferred.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@NeedsBrokerNode
class BrokerNodeTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static BrokerNode node;

    /** An orderly stop makes the queues durable; a kill just after a declaration can lose it. */
    @BeforeAll
    static void startTheNode() throws Exception {
        node = BrokerNode.start();
        declare("killed");
        declare("stopped");
        node.stop();
        node.startAgain();
    }

    @AfterAll
    static void closeTheNode() {
        node.close();
        assertThat(AmqpListener.answers(node.host(), node.port())).isFalse();
    }

    @Test
    void aConfirmedMessageOutlivesAKill() throws Exception {
        publishConfirmed("killed", "still here");
        node.kill();
        assertThat(AmqpListener.answers(node.host(), node.port())).isFalse();
        node.startAgain();
        assertThat(take("killed")).isEqualTo("still here");
    }

    @Test
    void aConfirmedMessageOutlivesAStop() throws Exception {
        publishConfirmed("stopped", "still here");
        node.stop();
        assertThat(AmqpListener.answers(node.host(), node.port())).isFalse();
        node.startAgain();
        assertThat(take("stopped")).isEqualTo("still here");
    }

    @Test
    void aFrozenNodeAnswersAgainWhenThawed() {
        node.freeze();
        try {
            assertThat(AmqpListener.answers(node.host(), node.port())).isFalse();
        } finally {
            node.thaw();
        }
        await().atMost(LIMIT).until(() -> AmqpListener.answers(node.host(), node.port()));
    }

    @Test
    void theDeadLetterWorkerTriesAgainAfterFiveSeconds() {
        assertThat(node.ctl("eval", "application:get_env(rabbit, dead_letter_worker_publisher_confirm_timeout)."))
                .contains("{ok,5000}");
    }

    @Test
    void aFailingCommandShowsItsOutput() {
        assertThatThrownBy(() -> node.ctl("no-such-command"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-command");
    }

    @Test
    void twoNodesRunSideBySideWithOptionsOfTheirOwn() {
        try (var other = BrokerNode.start(BrokerOptions.defaults().withConf("channel_max = 17"))) {
            assertThat(other.ctl("environment")).contains("{channel_max,17}");
            assertThat(node.ctl("environment")).doesNotContain("{channel_max,17}");
            assertThat(other.managementPort()).isEmpty();
        }
        assertThat(AmqpListener.answers(node.host(), node.port())).isTrue();
    }

    private static void declare(String queue) throws Exception {
        try (var connection = factory().newConnection();
                var channel = connection.createChannel()) {
            channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
        }
    }

    private static void publishConfirmed(String queue, String body) throws Exception {
        try (var connection = factory().newConnection();
                var channel = connection.createChannel()) {
            channel.confirmSelect();
            channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, body.getBytes(UTF_8));
            channel.waitForConfirmsOrDie(LIMIT.toMillis());
        }
    }

    private static String take(String queue) throws Exception {
        try (var connection = factory().newConnection();
                var channel = connection.createChannel()) {
            var message = await().atMost(LIMIT).until(() -> channel.basicGet(queue, true), found -> found != null);
            return new String(message.getBody(), UTF_8);
        }
    }

    private static ConnectionFactory factory() {
        var factory = new ConnectionFactory();
        factory.setHost(node.host());
        factory.setPort(node.port());
        factory.setUsername(node.username());
        factory.setPassword(node.password());
        return factory;
    }
}
