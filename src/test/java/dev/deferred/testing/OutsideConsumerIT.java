package dev.deferred.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import dev.deferred.testing.Seen.Place;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

@NeedsBrokerNode
class OutsideConsumerIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void seesDueAndParkedTasksAlsoAfterTheBrokerWasAway() throws Exception {
        Evidence evidence = new Evidence();
        try (BrokerNode broker = BrokerNode.start()) {
            declareParking(broker);
            try (OutsideConsumer consumer = OutsideConsumer.start(broker, "a-type", evidence)) {
                publish(broker, "deferred.tasks", "a-type", "first");
                publish(broker, "", "deferred.parked", "parked");
                await().atMost(LIMIT).until(() -> evidence.sightings().size() == 2);
                broker.kill();
                broker.startAgain();
                QuorumLeaders.elect(broker);
                publish(broker, "deferred.tasks", "a-type", "second");
                await().atMost(LIMIT).until(() -> !evidence.sightings("second").isEmpty());
                assertThat(consumer).isNotNull();
            }
        }
        assertThat(evidence.sightings("first"))
                .extracting(Seen::taskId, Seen::attempt, Seen::place)
                .containsOnly(tuple("id-first", 3L, Place.DESTINATION));
        assertThat(evidence.sightings("parked")).extracting(Seen::place).containsOnly(Place.PARKED);
    }

    private static void declareParking(BrokerNode broker) throws Exception {
        try (Connection connection = connect(broker)) {
            connection
                    .createChannel()
                    .queueDeclare("deferred.parked", true, false, false, Map.of("x-queue-type", "quorum"));
        }
    }

    private static void publish(BrokerNode broker, String exchange, String key, String ref) throws Exception {
        BasicProperties properties = MessageProperties.PERSISTENT_BASIC
                .builder()
                .messageId("id-" + ref)
                .headers(Map.of("deferred-attempt", 3L))
                .build();
        byte[] body = "{\"ref\":\"%s\"}".formatted(ref).getBytes(StandardCharsets.UTF_8);
        try (Connection connection = connect(broker)) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            channel.basicPublish(exchange, key, properties, body);
            assertThat(channel.waitForConfirms(5_000)).isTrue();
        }
    }

    private static Connection connect(BrokerNode broker) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        return factory.newConnection("beside the consumer");
    }
}
