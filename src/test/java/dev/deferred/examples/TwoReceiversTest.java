package dev.deferred.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.BuiltinExchangeType;
import dev.deferred.examples.ForeignClient.Arrival;
import dev.deferred.examples.ForeignClient.Envelope;
import dev.deferred.testing.NeedsBrokerNode;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One way to delay, two receivers behind a direct exchange, and a delay for each message in milliseconds. */
@QuarkusTest
@NeedsBrokerNode
@WithTestResource(ApplicationsBroker.class)
class TwoReceiversTest extends Example {
    @Test
    void eachReceiverGetsOnlyItsOwnWithTheOriginalKeyAndAShortDelayIsNotHeldUpByALongOne() throws Exception {
        client.exchange("shop.receivers", BuiltinExchangeType.DIRECT);
        client.listen("receivers.first", "shop.receivers", "first");
        client.listen("receivers.second", "shop.receivers", "second");
        Set<String> before = broker.queues();
        client.begin();
        send("first", 4_000);
        send("second", 3_000);
        send("first", 250);
        send("second", 1);
        client.awaitArrivals(4);
        assertThat(client.in("receivers.first")).extracting(Arrival::text).containsExactly("250", "4000");
        assertThat(client.in("receivers.second")).extracting(Arrival::text).containsExactly("1", "3000");
        assertThat(client.in("receivers.first"))
                .allMatch(arrival -> arrival.routingKey().equals("first"));
        assertThat(client.in("receivers.second"))
                .allMatch(arrival -> arrival.routingKey().equals("second"));
        assertThat(client.awaitArrivals(4)).allMatch(arrival -> arrival.isOnTime(Long.parseLong(arrival.text())));
        assertThat(broker.queues()).isEqualTo(before);
    }

    private void send(String receiver, int delayMillis) throws Exception {
        client.publish(
                new Envelope(
                        "deferred.in", receiver, Map.of("x-delay", delayMillis, "deferred-exchange", "shop.receivers")),
                String.valueOf(delayMillis));
    }
}
