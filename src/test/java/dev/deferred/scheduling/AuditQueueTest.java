package dev.deferred.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.testing.Broker;
import dev.deferred.testing.PlainClient;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

/** Somebody binds a queue to everything: nothing multiplies. */
@QuarkusTest
@WithTestResource(Broker.class)
class AuditQueueTest {
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    /** Two seconds, one second, and a rest for the gate. */
    private static final Duration TWO_HOPS = Duration.ofMillis(3_500);

    @Inject
    NewTasks newTasks;

    @Inject
    Scheduler scheduler;

    @Inject
    SchedulingConfig config;

    @Inject
    Config mpConfig;

    @Test
    void anAuditQueueSeesEachPublicationOnceAndOthersSeeNoMoreThanBefore() throws Exception {
        Names names = new Names(config.prefix());
        try (PlainClient client = new PlainClient(mpConfig)) {
            Queue<String> released = listen(client.channel(), names.tasks(), "#");
            Queue<String> planned = listen(client.channel(), names.in(), "#");
            Queue<String> other = listen(client.channel(), names.tasks(), "audited.#");
            List<String> atOnce = schedule(Duration.ZERO);
            List<String> oneHop = schedule(Duration.ofSeconds(1));
            List<String> twoHops = schedule(TWO_HOPS);
            List<String> all = new ArrayList<>(atOnce);
            all.addAll(oneHop);
            all.addAll(twoHops);
            await().atMost(AT_MOST).until(() -> other.containsAll(all));
            // whatever came twice would have come by the time a later task has come
            List<String> last = schedule(Duration.ofSeconds(1));
            all.addAll(last);
            await().atMost(AT_MOST).until(() -> other.containsAll(last) && released.containsAll(last));
            assertThat(other).containsExactlyInAnyOrderElementsOf(all);
            assertThat(released).containsExactlyInAnyOrderElementsOf(all);
            assertThat(atOnce).allSatisfy(id -> assertThat(Collections.frequency(planned, id))
                    .isOne());
            assertThat(oneHop).allSatisfy(id -> assertThat(Collections.frequency(planned, id))
                    .isOne());
            assertThat(twoHops).allSatisfy(id -> assertThat(Collections.frequency(planned, id))
                    .isBetween(1, 2));
        }
    }

    private List<String> schedule(Duration delay) {
        return IntStream.range(0, 20)
                .mapToObj(i -> {
                    Task task = newTasks.after(newTasks.newId(), "audited.task", delay, Payload.json("{}"));
                    scheduler.schedule(task).await().atMost(AT_MOST);
                    return task.id().value();
                })
                .toList();
    }

    /** The ids of all messages that a queue bound by that key is given from now on. */
    private static Queue<String> listen(Channel channel, String exchange, String key) throws IOException {
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        String queue = channel.queueDeclare("", false, true, true, Map.of()).getQueue();
        channel.queueBind(queue, exchange, key);
        channel.basicConsume(
                queue, true, (tag, delivery) -> ids.add(delivery.getProperties().getMessageId()), tag -> {});
        return ids;
    }
}
