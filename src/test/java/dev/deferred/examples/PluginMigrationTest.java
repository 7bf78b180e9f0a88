package dev.deferred.examples;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** The steps by which an application moves here from the delayed-message plugin, as its guide tells them. */
@QuarkusTest
@NeedsBrokerNode
@WithTestResource(ApplicationsBroker.class)
class PluginMigrationTest extends Example {
    @Test
    void aQueueWithASecondBindingGetsMessagesFromBothSidesAndNothingTwice() throws Exception {
        client.exchange("orders-delayed", BuiltinExchangeType.DIRECT); // where the plugin's exchange was
        client.listen("moving", "orders-delayed", "moving.unpaid");
        client.channel().queueBind("moving", "deferred.tasks", "moving.unpaid");
        client.begin();
        client.publish(new Envelope("deferred.in", "moving.unpaid", Map.of("x-delay", 1_800)), "new");
        client.publish(new Envelope("orders-delayed", "moving.unpaid", Map.of("x-delay", -1_800)), "old");
        client.publish(new Envelope("deferred.in", "moving.unpaid", Map.of("x-delay", 2_500)), "last");
        List<Arrival> arrivals = client.awaitArrivals(3);
        assertThat(arrivals).extracting(Arrival::text).containsExactly("old", "new", "last");
        Arrival fresh = arrivals.get(1);
        assertThat(fresh.isOnTime(1_800)).isTrue();
        assertThat(fresh.routingKey()).isEqualTo("moving.unpaid");
        assertThat(fresh.properties().getHeaders().keySet())
                .isEqualTo(Set.of("deferred-due-at", "deferred-scheduled-at", "deferred-attempt"));
    }

    @Test
    void anExchangeOfEveryFormerTypeKeepsItsBindings() throws Exception {
        Map<String, Object> matching = Map.of("x-match", "all", "colour", "red");
        for (BuiltinExchangeType type : List.of(
                BuiltinExchangeType.DIRECT,
                BuiltinExchangeType.TOPIC,
                BuiltinExchangeType.FANOUT,
                BuiltinExchangeType.HEADERS)) {
            String exchange = "shop.moved-" + type.getType();
            client.exchange(exchange, type);
            client.channel().queueDeclare(exchange, true, false, false, Map.of("x-queue-type", "quorum"));
            client.channel().queueBind(exchange, exchange, "order.unpaid", matching);
            client.listen(exchange);
        }
        client.begin();
        for (BuiltinExchangeType type : BuiltinExchangeType.values()) {
            client.publish(
                    new Envelope(
                            "deferred.in",
                            "order.unpaid",
                            Map.of(
                                    "x-delay",
                                    300,
                                    "deferred-exchange",
                                    "shop.moved-" + type.getType(),
                                    "colour",
                                    "red")),
                    type.getType());
        }
        List<Arrival> arrivals = client.awaitArrivals(4);
        assertThat(arrivals)
                .extracting(Arrival::text)
                .containsExactlyInAnyOrder("direct", "topic", "fanout", "headers");
        assertThat(arrivals)
                .allMatch(arrival -> arrival.queue().equals("shop.moved-" + arrival.text()) && arrival.isOnTime(300));
    }

    @Test
    void aPublisherNeedsTheRightToWriteToOneExchangeAndAConsumerToReadFromOne() throws Exception {
        broker.addUser("publisher", "^$", "^deferred\\.in$", "^$");
        broker.addUser("consumer", "^reports$", "^reports$", "^(reports|deferred\\.tasks)$");
        try (Connection connection = connection("consumer");
                Channel channel = connection.createChannel()) {
            channel.queueDeclare("reports", true, false, false, Map.of("x-queue-type", "quorum"));
            channel.queueBind("reports", "deferred.tasks", "report.#");
        }
        try (Connection connection = connection("publisher");
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            channel.basicPublish("deferred.in", "report.send", null, "report".getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(5_000);
        }
        client.listen("reports");
        assertThat(client.awaitArrivals(1)).extracting(Arrival::text).containsExactly("report");
    }

    private static Connection connection(String user) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(ConfigProvider.getConfig().getValue("rabbitmq-host", String.class));
        factory.setPort(ConfigProvider.getConfig().getValue("rabbitmq-port", Integer.class));
        factory.setUsername(user);
        factory.setPassword(user);
        return factory.newConnection();
    }
}
