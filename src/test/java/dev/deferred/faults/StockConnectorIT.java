package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.testing.Evidence;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.NothingLost;
import dev.deferred.testing.OutsideConsumer;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.ServiceHttp;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.reactive.messaging.MutinyEmitter;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

/** Why there is a connector of our own: the same cut, between publish and confirm, through both of them. */
@QuarkusTest
@TestProfile(StockConnectorIT.StockChannel.class)
@WithTestResource(BrokerBehindProxy.class)
@NeedsBrokerNode
class StockConnectorIT {
    private static final Logger LOG = Logger.getLogger(StockConnectorIT.class);

    private static final Duration PLENTY = Duration.ofSeconds(30);

    /** Twice the time that a request is given here. */
    private static final Duration OUTCOMES_LIMIT = ServiceHttp.DEADLINE.multipliedBy(2);

    @Inject
    @Channel(BrokerBehindProxy.STOCK)
    MutinyEmitter<String> stock;

    @ConfigProperty(name = "quarkus.http.test-port")
    int httpPort;

    BrokerBehindProxy bench;

    /** A channel on the stock connector, with its safest settings. */
    public static final class StockChannel implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            String channel = "mp.messaging.outgoing." + BrokerBehindProxy.STOCK + ".";
            return Map.of(
                    "deferred.tiers",
                    FaultBench.TIERS,
                    channel + "connector",
                    "smallrye-rabbitmq",
                    channel + "exchange.name",
                    BrokerBehindProxy.STOCK,
                    channel + "publish-confirms",
                    "true",
                    channel + "reconnect-interval",
                    "1");
        }
    }

    @Test
    void theStockConnectorConfirmsWhatTheBrokerNeverHad() throws Exception {
        List<Send> sends = throughACut(ref -> stock.send(ref).subscribeAsCompletionStage());
        Set<String> arrived = bench.takeUntil(sends.get(sends.size() - 1).ref());
        List<String> confirmedAndLost = sends.stream()
                .filter(Send::succeeded)
                .map(Send::ref)
                .filter(ref -> !arrived.contains(ref))
                .toList();
        List<String> neverAnswered = sends.stream()
                .filter(send -> !send.done().isDone())
                .map(Send::ref)
                .toList();
        LOG.infof("the stock connector: confirmed and lost %s, never answered %s", confirmedAndLost, neverAnswered);
        assertThat(Stream.concat(confirmedAndLost.stream(), neverAnswered.stream()))
                .isNotEmpty();
    }

    @Test
    void theSameCutLosesNothingHere() throws Exception {
        ServiceHttp service = new ServiceHttp(httpPort);
        await().atMost(PLENTY).until(service::isReady);
        Evidence evidence = new Evidence();
        try (OutsideConsumer consumer = OutsideConsumer.start(bench.broker(), "cut", evidence)) {
            List<Send> sends = throughACut(
                    ref -> service.post("cut", Duration.ofMillis(1_500), ref).thenAccept(evidence::add));
            assertThat(sends).allMatch(Send::succeeded);
            assertThat(evidence.produced()).extracting(Produced::answer).containsOnly(Answer.ACCEPTED);
            await().atMost(PLENTY).untilAsserted(new NothingLost(evidence)::check);
            assertThat(consumer).isNotNull();
        }
    }

    /** Sends some, then some that are cut off on the way, then some on the next connection; waits for their outcomes. */
    private List<Send> throughACut(Function<String, CompletableFuture<Void>> send) {
        List<Send> before = several("before", 10, send);
        await().atMost(PLENTY).until(() -> before.stream().allMatch(Send::succeeded));
        int connections = bench.proxy().connectionsAccepted();
        bench.proxy().blackHole();
        List<Send> cutOff = several("cut-off", 20, send);
        await("something on the way").atMost(PLENTY).until(bench.proxy()::holdsBack);
        bench.proxy().reset();
        bench.proxy().restore();
        await("a new connection").atMost(PLENTY).until(() -> bench.proxy().connectionsAccepted() > connections);
        List<Send> after = several("after", 60, send);
        List<Send> all = Stream.of(before, cutOff, after).flatMap(List::stream).toList();
        Instant noLonger = Instant.now().plus(OUTCOMES_LIMIT);
        await("outcomes, as far as they come")
                .atMost(PLENTY)
                .until(() -> all.stream().allMatch(one -> one.done().isDone())
                        || Instant.now().isAfter(noLonger));
        return all;
    }

    private static List<Send> several(String name, int count, Function<String, CompletableFuture<Void>> send) {
        return IntStream.range(0, count)
                .mapToObj(i -> name + "-" + i)
                .map(ref -> new Send(ref, send.apply(ref)))
                .toList();
    }

    private record Send(String ref, CompletableFuture<Void> done) {
        boolean succeeded() {
            return done.isDone() && !done.isCompletedExceptionally();
        }
    }
}
