package dev.deferred.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.examples.ForeignClient.Arrival;
import dev.deferred.examples.ForeignClient.Envelope;
import dev.deferred.testing.NeedsBrokerNode;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The sender chooses the delay by a header of its own choice; the receiver is bound by the routing key. */
@QuarkusTest
@NeedsBrokerNode
@WithTestResource(ApplicationsBroker.class)
class DelayByHeaderTest extends Example {
    @Test
    void messagesArriveAfterTheDelayInTheirHeaderWithTheirRoutingKey() throws Exception {
        client.listen("header.messages", "deferred.tasks", "mail.*");
        Set<String> before = broker.queues();
        client.begin();
        client.publish(new Envelope("deferred.in", "mail.welcome", Map.of("new-delay", 5_000)), "5000");
        client.publish(new Envelope("deferred.in", "mail.reminder", Map.of("new-delay", 3_000)), "3000");
        client.publish(new Envelope("deferred.in", "mail.receipt", Map.of()), "0");
        List<Arrival> arrivals = client.awaitArrivals(3);
        assertThat(arrivals).extracting(Arrival::text).containsExactly("0", "3000", "5000");
        assertThat(arrivals)
                .extracting(Arrival::routingKey)
                .containsExactly("mail.receipt", "mail.reminder", "mail.welcome");
        assertThat(arrivals).allMatch(arrival -> arrival.isOnTime(Long.parseLong(arrival.text())));
        assertThat(broker.queues()).isEqualTo(before);
    }
}
