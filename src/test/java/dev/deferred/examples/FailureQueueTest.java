package dev.deferred.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.deferred.examples.ForeignClient.Arrival;
import dev.deferred.examples.ForeignClient.Envelope;
import dev.deferred.testing.NeedsBrokerNode;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** A worker takes delayed work one by one, acknowledges what succeeds and rejects what fails, which a second worker gets later. */
@QuarkusTest
@NeedsBrokerNode
@WithTestResource(ApplicationsBroker.class)
class FailureQueueTest extends Example {
    private static final String WORK = "images";
    private static final String FAILED = "images-failed";

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final List<String> held = new CopyOnWriteArrayList<>();

    @Test
    void whatFailsWaitsInTheFailureQueueAndAWorkerThatIsKilledLosesNothing() throws Exception {
        client.exchange(FAILED, BuiltinExchangeType.FANOUT);
        client.channel().queueDeclare(FAILED, true, false, false, Map.of("x-queue-type", "quorum"));
        client.channel().queueBind(FAILED, FAILED, "");
        client.channel()
                .queueDeclare(
                        WORK, true, false, false, Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", FAILED));
        client.channel().queueBind(WORK, "deferred.tasks", "image.*");
        Connection killed = openConnection();
        Channel channel = killed.createChannel();
        channel.basicQos(1);
        channel.basicConsume(
                WORK,
                false,
                (tag, delivery) -> held.add(new String(delivery.getBody(), StandardCharsets.UTF_8)),
                tag -> {});
        for (int i = 1; i <= 6; i++) {
            client.publish(new Envelope("deferred.in", "image.resize", Map.of("x-delay", 100 * i)), String.valueOf(i));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> held.equals(List.of("1")));
        killed.abort();
        try (Connection connection = openConnection()) {
            work(connection);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> done.size() >= 4 && client.channel().messageCount(FAILED) == 2);
        }
        assertThat(done).containsExactlyInAnyOrder("1", "2", "4", "5");
        client.listen(FAILED);
        List<Arrival> failed = client.awaitArrivals(2);
        assertThat(failed).extracting(Arrival::text).containsExactlyInAnyOrder("3", "6");
        assertThat(failed).allMatch(arrival -> arrival.routingKey().equals("image.resize"));
        assertThat(failed).allMatch(arrival -> arrival.properties()
                .getHeaders()
                .get("x-first-death-reason")
                .toString()
                .equals("rejected"));
    }

    /** One at a time; every third fails. */
    private void work(Connection connection) throws Exception {
        Channel channel = connection.createChannel();
        channel.basicQos(1);
        channel.basicConsume(
                WORK,
                false,
                (tag, delivery) -> {
                    String text = new String(delivery.getBody(), StandardCharsets.UTF_8);
                    long number = delivery.getEnvelope().getDeliveryTag();
                    if (Integer.parseInt(text) % 3 == 0) {
                        channel.basicReject(number, false);
                    } else {
                        channel.basicAck(number, false);
                        done.add(text);
                    }
                },
                tag -> {});
    }

    private static Connection openConnection() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(ConfigProvider.getConfig().getValue("rabbitmq-host", String.class));
        factory.setPort(ConfigProvider.getConfig().getValue("rabbitmq-port", Integer.class));
        return factory.newConnection();
    }
}
