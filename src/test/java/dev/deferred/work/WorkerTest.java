package dev.deferred.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.core.Payload;
import dev.deferred.core.Task;
import dev.deferred.scheduling.Names;
import dev.deferred.scheduling.NewTasks;
import dev.deferred.scheduling.Scheduler;
import dev.deferred.scheduling.SchedulingConfig;
import dev.deferred.testing.Broker;
import dev.deferred.testing.PlainClient;
import dev.deferred.work.SampleHandlers.Line;
import dev.deferred.work.SampleHandlers.Order;
import dev.deferred.work.SampleHandlers.Seen;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Due tasks on their way through the worker, on a real broker. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(WorkerTest.FewAtATime.class)
class WorkerTest {
    /** Four at a time, and little patience with each. */
    public static final class FewAtATime implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "deferred.work.concurrency", "4",
                    "deferred.work.prefetch", "8",
                    "deferred.work.time-limit", "3s",
                    "deferred.retry.max-attempts", "2",
                    "deferred.retry.delay", "100ms");
        }
    }

    private static final Duration AT_MOST = Duration.ofSeconds(20);

    @Inject
    NewTasks newTasks;

    @Inject
    Scheduler scheduler;

    @Inject
    SchedulingConfig config;

    @Inject
    DeferredTasks deferredTasks;

    @Inject
    Config mpConfig;

    private Names names;
    private PlainClient client;

    @BeforeEach
    void connect() throws Exception {
        names = new Names(config.prefix());
        client = new PlainClient(mpConfig);
        SampleHandlers.SEEN.clear();
    }

    @AfterEach
    void leave() throws IOException {
        client.close();
    }

    private Task schedule(String type, byte[] payload) {
        Task task = newTasks.after(newTasks.newId(), type, Duration.ZERO, Payload.of(payload, Payload.JSON));
        await().atMost(AT_MOST)
                .until(() -> scheduler
                                .schedule(task)
                                .onFailure()
                                .recoverWithNull()
                                .await()
                                .atMost(AT_MOST)
                        != null);
        return task;
    }

    private Task schedule(String type, String payload) {
        return schedule(type, payload.getBytes(StandardCharsets.UTF_8));
    }

    private Seen seen() {
        await().atMost(AT_MOST).until(() -> !SampleHandlers.SEEN.isEmpty());
        return SampleHandlers.SEEN.poll();
    }

    @Test
    void aHandlerGetsItsClassWithGenericListsAndTheTask() {
        Task task = schedule(
                "sample.order",
                "{\"id\":\"42\",\"lines\":[{\"item\":\"a\",\"count\":1},{\"item\":\"ü\",\"count\":2}]}");
        Seen seen = seen();
        assertThat(seen.payload()).isEqualTo(new Order("42", List.of(new Line("a", 1), new Line("ü", 2))));
        assertThat(seen.task()).isEqualTo(task);
        assertThat(seen.onEventLoop()).isFalse();
    }

    @Test
    void aHandlerOfTextGetsTextAndAHandlerOfBytesGetsThemUntouched() {
        schedule("sample.text", "\"é\u0000 as it came\"");
        assertThat(seen().payload()).isEqualTo("\"é\u0000 as it came\"");
        byte[] odd = {0, (byte) 0xff, 1};
        schedule("sample.bytes", odd);
        assertThat((byte[]) seen().payload()).isEqualTo(odd);
        schedule("sample.bytes", new byte[0]);
        assertThat((byte[]) seen().payload()).isEmpty();
    }

    @Test
    void codeOfTheServiceDefersATaskByOneCall() {
        deferredTasks
                .after(Duration.ofMillis(200), "sample.order", new Order("7", List.of()))
                .await()
                .atMost(AT_MOST);
        assertThat(seen().payload()).isEqualTo(new Order("7", List.of()));
    }

    @Test
    void whatCanNotBeReadIsParkedWithTheReasonAndTheBodyUntouched() throws Exception {
        for (String odd : List.of("", "null", "{", "[]", "\"text\"", "{\"id\":{}}")) {
            Task task = schedule("sample.order", odd);
            GetResponse parked = parked(task);
            assertThat(header(parked, ParkedMessage.REASON)).as(odd).isEqualTo("bad-payload");
            assertThat(new String(parked.getBody(), StandardCharsets.UTF_8)).isEqualTo(odd);
        }
        Task notUtf8 = schedule("sample.text", new byte[] {(byte) 0xff});
        assertThat(header(parked(notUtf8), ParkedMessage.REASON)).isEqualTo("bad-payload");
    }

    @Test
    void aFailingHandlerParksItsTaskWithBoundedHeadersAndTheConsumerGoesOn() throws Exception {
        Task thrown = schedule("sample.throws", "1");
        GetResponse parked = parked(thrown);
        assertThat(header(parked, ParkedMessage.REASON)).isEqualTo("failed");
        assertThat(header(parked, ParkedMessage.DETAIL))
                .contains("IllegalStateException", "no luck")
                .hasSizeLessThan(2_100);
        assertThat(header(parked(schedule("sample.fails", "1")), ParkedMessage.DETAIL))
                .contains("asynchronously");
        assertThat(header(parked(schedule("sample.null", "1")), ParkedMessage.DETAIL))
                .contains("no outcome");
        schedule("sample.text", "after");
        assertThat(seen().payload()).isEqualTo("after");
    }

    @Test
    void aHandlerMayAskForParking() throws Exception {
        GetResponse parked = parked(schedule("sample.parks", "{\"a\":1}"));
        assertThat(header(parked, ParkedMessage.REASON)).isEqualTo("asked");
        assertThat(header(parked, ParkedMessage.DETAIL)).isEqualTo("there is no such order");
        assertThat(new String(parked.getBody(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
    }

    @Test
    void aHandlerThatNeverEndsIsCutOffAtTheTimeLimit() throws Exception {
        assertThat(header(parked(schedule("sample.endless", "1")), ParkedMessage.REASON))
                .isEqualTo("timed-out");
    }

    @Test
    void blockingHandlersRunInParallelUpToTheConcurrencyAndNoFurther() {
        SampleHandlers.mayEnd = new CountDownLatch(1);
        SampleHandlers.MOST_RUNNING.set(0);
        for (int i = 0; i < 10; i++) {
            schedule("sample.blocks", String.valueOf(i));
        }
        await().atMost(Duration.ofSeconds(3)).until(() -> SampleHandlers.RUNNING.get() == 4);
        SampleHandlers.mayEnd.countDown();
        await().atMost(AT_MOST).until(() -> SampleHandlers.SEEN.size() == 10);
        assertThat(SampleHandlers.MOST_RUNNING).hasValue(4);
    }

    private static String header(GetResponse message, String name) {
        return message.getProps().getHeaders().get(name).toString();
    }

    private GetResponse parked(Task task) throws IOException {
        return client.take(names.parked(), task.id().value());
    }
}
