package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.Seen;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** More requests than the service takes at a time, and then ones that it must refuse. */
@NeedsBrokerNode
class OverloadIT {
    private static final int AT_A_TIME = 500;

    /** Each is refused at another depth: the type, the limit of the delay, the limit of the payload. */
    private static final List<String> INVALID = List.of(
            "{\"type\":\"a b\",\"delay\":\"1s\",\"payload\":1}",
            "{\"type\":\"overload\",\"delay\":\"1000d\",\"payload\":1}",
            "{\"type\":\"overload\",\"delay\":\"1s\",\"payload\":\"" + "x".repeat(2_000) + "\"}");

    @Test
    void everyGoodRequestAfterAFloodIsAcceptedAndWhatWasAcceptedRunsOnce() throws Exception {
        Map<String, String> tight = Map.of("deferred.max-in-flight", "50", "deferred.max-payload", "1K");
        try (FaultBench bench = FaultBench.start("overload", tight);
                Scenario scenario = bench.begin("overload")) {
            scenario.disturb("flood", () -> {
                flood(3_000, i -> bench.service.http().post("overload", Duration.ofMillis(i % 1_500), "flood-" + i))
                        .forEach(scenario.evidence()::add);
                assertThat(flood(1_500, i -> bench.service.http().post(INVALID.get(i % INVALID.size()))))
                        .extracting(HttpResponse::statusCode)
                        .containsOnly(400, 413);
            });
            for (int i = 0; i < 100; i++) {
                Produced good = scenario.post(Duration.ofMillis(i));
                assertThat(good.answer()).as(good.toString()).isEqualTo(Answer.ACCEPTED);
            }
            scenario.everyPromiseIsKept();
            runsAreThoseAccepted(scenario);
        }
    }

    private static void runsAreThoseAccepted(Scenario scenario) {
        Set<String> mayHaveRun = scenario.evidence().produced().stream()
                .filter(task ->
                        task.answer() == Answer.ACCEPTED || task.detail().contains("outcome-unknown"))
                .map(Produced::ref)
                .collect(Collectors.toSet());
        assertThat(scenario.evidence().sightings())
                .extracting(Seen::ref)
                .doesNotHaveDuplicates()
                .isSubsetOf(mayHaveRun);
    }

    /** Makes so many requests, some hundreds at a time, and returns all answers. */
    private static <T> List<T> flood(int count, IntFunction<CompletableFuture<T>> request) {
        Semaphore places = new Semaphore(AT_A_TIME);
        List<CompletableFuture<T>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.acquireUninterruptibly();
            answers.add(request.apply(i).whenComplete((answer, failure) -> places.release()));
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }
}
