package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.ServiceHttp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The service starts first, and an empty broker comes later. */
@NeedsBrokerNode
class LateBrokerIT {
    /** How long the service runs alone, in seconds; 60 or more shows that it never gives up. */
    private static final Duration ALONE = Duration.ofSeconds(Integer.getInteger("faults.alone", 15));

    private static final Duration LIMIT = ServiceHttp.DEADLINE.plus(ServiceHttp.SLACK);

    @Test
    void everythingComesAliveWhenTheBrokerDoes() throws Exception {
        Instant comes = Instant.now().plus(ALONE);
        try (FaultBench bench = FaultBench.startWithoutBroker("late-broker")) {
            assertThat(bench.service.http().isReady()).isFalse();
            assertThat(refusals(bench, 50)).allSatisfy(task -> {
                assertThat(task.answer()).as(task.toString()).isEqualTo(Answer.REFUSED);
                assertThat(task.took()).isLessThan(LIMIT);
            });
            await().atMost(ALONE.plusSeconds(5)).until(() -> Instant.now().isAfter(comes));
            assertThat(bench.service.http().isAlive()).isTrue();
            bench.startBrokerAgain();
            await("readiness after the broker came")
                    .atMost(Duration.ofSeconds(20))
                    .until(bench.service.http()::isReady);
            try (Scenario scenario = bench.begin("late-broker")) {
                scenario.post(Duration.ofSeconds(2));
                scenario.everyPromiseIsKept();
            }
        }
    }

    private static List<Produced> refusals(FaultBench bench, int count) {
        List<CompletableFuture<Produced>> answers = IntStream.range(0, count)
                .mapToObj(i -> bench.service.http().post("nobody", Duration.ofSeconds(1), "alone-" + i))
                .toList();
        return answers.stream().map(CompletableFuture::join).toList();
    }
}
