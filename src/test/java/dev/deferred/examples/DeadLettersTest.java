package dev.deferred.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import dev.deferred.examples.ForeignClient.Arrival;
import dev.deferred.examples.ForeignClient.Envelope;
import dev.deferred.testing.NeedsBrokerNode;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What time to live and dead-lettering do, in plain queues; and the two things that people build with them. */
@QuarkusTest
@NeedsBrokerNode
@WithTestResource(ApplicationsBroker.class)
class DeadLettersTest extends Example {
    private static final String DEAD = "dead-letters";

    @BeforeEach
    void whereDeadLettersGo() throws Exception {
        client.exchange(DEAD, BuiltinExchangeType.FANOUT);
        client.listen(DEAD, DEAD, "");
    }

    private void holdingQueue(String name, Map<String, Object> arguments) throws Exception {
        Map<String, Object> all = new HashMap<>(arguments);
        all.put("x-queue-type", "classic");
        all.put("x-dead-letter-exchange", DEAD);
        client.channel().queueDeclare(name, true, false, false, all);
    }

    private void publishWithLifetime(String queue, String millis, String text) throws Exception {
        client.publish(new Envelope("", queue, Map.of()), new AMQP.BasicProperties.Builder().expiration(millis), text);
    }

    private static String reason(Arrival arrival) {
        return arrival.properties().getHeaders().get("x-first-death-reason").toString();
    }

    @Test
    void theSmallerOfTheLifetimesOfQueueAndMessageCounts() throws Exception {
        holdingQueue("lifetimes", Map.of("x-message-ttl", 1_500));
        client.begin();
        publishWithLifetime("lifetimes", "400", "400");
        publishWithLifetime("lifetimes", "60000", "1500");
        List<Arrival> arrivals = client.awaitArrivals(2);
        assertThat(arrivals).extracting(Arrival::text).containsExactly("400", "1500");
        assertThat(arrivals).allMatch(arrival -> arrival.isOnTime(Long.parseLong(arrival.text())));
        assertThat(arrivals).allMatch(arrival -> reason(arrival).equals("expired"));
    }

    @Test
    void aLifetimeOfZeroExpiresAtOnce() throws Exception {
        holdingQueue("no-lifetime", Map.of("x-message-ttl", 0));
        client.begin();
        client.publish(new Envelope("", "no-lifetime", Map.of()), "0");
        assertThat(client.awaitArrivals(1)).allMatch(arrival -> arrival.isOnTime(0));
    }

    @Test
    void whatIsRejectedOrOverflowsIsDeadLetteredWithTheReason() throws Exception {
        holdingQueue("rejects", Map.of());
        client.publish(new Envelope("", "rejects", Map.of()), "bad");
        GetResponse bad = client.channel().basicGet("rejects", false);
        client.channel().basicReject(bad.getEnvelope().getDeliveryTag(), false);
        assertThat(reason(client.awaitArrivals(1).get(0))).isEqualTo("rejected");
        holdingQueue("overflows", Map.of("x-max-length", 1));
        client.publish(new Envelope("", "overflows", Map.of()), "first");
        client.publish(new Envelope("", "overflows", Map.of()), "second");
        Arrival overflowed = client.awaitArrivals(2).get(1);
        assertThat(overflowed.text()).isEqualTo("first");
        assertThat(reason(overflowed)).isEqualTo("maxlen");
    }

    @Test
    void anOrderIsClosedAfterItsTimeToPay() throws Exception {
        client.listen("order-closing", "deferred.tasks", "order.unpaid");
        client.begin();
        client.publish(new Envelope("deferred.in", "order.unpaid", Map.of("x-delay", 1_800)), "order 42");
        Arrival closing = client.awaitArrivals(1).get(0);
        assertThat(closing.text()).isEqualTo("order 42");
        assertThat(closing.isOnTime(1_800)).isTrue();
    }

    @Test
    void aDeviceGetsItsCommandAtASetTime() throws Exception {
        client.exchange("devices", BuiltinExchangeType.DIRECT);
        client.listen("heating-7", "devices", "heating-7");
        client.begin();
        long at = System.currentTimeMillis() + 2_345;
        client.publish(
                new Envelope("deferred.in", "heating-7", Map.of("deferred-due-at", at, "deferred-exchange", "devices")),
                "on");
        Arrival command = client.awaitArrivals(1).get(0);
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(at);
        assertThat(command.text()).isEqualTo("on");
        assertThat(command.isOnTime(2_345)).isTrue();
    }
}
