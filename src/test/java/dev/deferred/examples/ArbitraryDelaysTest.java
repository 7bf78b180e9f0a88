package dev.deferred.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.BuiltinExchangeType;
import dev.deferred.examples.ForeignClient.Arrival;
import dev.deferred.examples.ForeignClient.Envelope;
import dev.deferred.testing.NeedsBrokerNode;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Delays of any length, in any order, through two exchanges to two queues each. */
@QuarkusTest
@NeedsBrokerNode
@WithTestResource(ApplicationsBroker.class)
class ArbitraryDelaysTest extends Example {
    private static final List<Integer> DELAYS_MILLIS = List.of(3_000, 2_000, 1_000, 0);

    @Test
    void everyQueueGetsItsOwnMessagesInTheOrderInWhichTheyAreDueAndNoQueueIsMade() throws Exception {
        List<String> exchanges = List.of("shop.orders", "shop.invoices");
        List<String> keys = List.of("queue.a", "queue.b");
        for (String exchange : exchanges) {
            client.exchange(exchange, BuiltinExchangeType.TOPIC);
            for (String key : keys) {
                client.listen(exchange + "." + key, exchange, key);
            }
        }
        Set<String> before = broker.queues();
        client.begin();
        for (int delay : DELAYS_MILLIS) {
            for (String exchange : exchanges) {
                for (String key : keys) {
                    client.publish(
                            new Envelope("deferred.in", key, Map.of("x-delay", delay, "deferred-exchange", exchange)),
                            String.valueOf(delay));
                }
            }
        }
        client.awaitArrivals(16);
        for (String exchange : exchanges) {
            for (String key : keys) {
                List<Arrival> own = client.in(exchange + "." + key);
                assertThat(own).extracting(Arrival::text).containsExactly("0", "1000", "2000", "3000");
                assertThat(own).allMatch(arrival -> arrival.routingKey().equals(key));
                assertThat(own).allMatch(arrival -> arrival.isOnTime(Long.parseLong(arrival.text())));
            }
        }
        assertThat(broker.queues()).isEqualTo(before);
    }
}
