package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.FaultProxy;
import dev.deferred.testing.NeedsBrokerNode;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single messages taken out of a queue on a real broker, by one or by two who don't know of each other. */
@NeedsBrokerNode
class TakeOutTest {
    private static final Duration AT_MOST = Duration.ofSeconds(60);
    private static final String QUORUM = "quorum";
    private static final String CLASSIC = "classic";

    private static final Map<String, Object> CLASSIC_QUEUE = Map.of("x-queue-type", CLASSIC);

    /** As the parking queue: from 4.0 on a broker drops what was returned 20 times unless it is told otherwise. */
    private static final Map<String, Object> RETURNED_ANY_NUMBER_OF_TIMES =
            Map.of("x-queue-type", QUORUM, "x-delivery-limit", 1_000_000_000);

    private static BrokerNode node;
    private FaultProxy proxy;
    private Wiring wiring;
    private TakeOut one;
    private TakeOut other;

    @BeforeAll
    static void startNode() {
        node = BrokerNode.start();
    }

    @AfterAll
    static void closeNode() {
        node.close();
    }

    @BeforeEach
    void wire() throws Exception {
        proxy = FaultProxy.inFrontOf(node.port());
        wiring = new Wiring(proxy.port(), node.port());
        one = new TakeOut(settings(), wiring.threads);
        other = new TakeOut(settings(), wiring.threads);
    }

    @AfterEach
    void unwire() throws Exception {
        wiring.close();
        proxy.close();
    }

    private BrokerSettings settings() {
        return new BrokerSettings(
                List.of(new Address("127.0.0.1", proxy.port())),
                "guest",
                "guest",
                "/",
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }

    /** A queue of that type with messages m0, m1 and so on. */
    private String filled(String name, String type, int count) throws IOException {
        String queue = name + "-" + type;
        wiring.plain()
                .queueDeclare(
                        queue, true, false, false, type.equals(QUORUM) ? RETURNED_ANY_NUMBER_OF_TIMES : CLASSIC_QUEUE);
        for (int i = 0; i < count; i++) {
            wiring.plain()
                    .basicPublish(
                            "",
                            queue,
                            new AMQP.BasicProperties.Builder()
                                    .messageId("m" + i)
                                    .build(),
                            new byte[] {1});
        }
        awaitDepth(queue, count);
        return queue;
    }

    private void awaitDepth(String queue, int count) {
        await().atMost(AT_MOST).until(() -> wiring.depth(queue) == count);
    }

    private static Choice only(String id, Uni<Void> then) {
        return message ->
                id.equals(Incoming.of(message).properties().getMessageId()) ? Optional.of(then) : Optional.empty();
    }

    private static CompletableFuture<TakenOut> search(TakeOut by, String queue, String id) {
        return search(by, queue, only(id, Uni.createFrom().voidItem()));
    }

    private static CompletableFuture<TakenOut> search(TakeOut by, String queue, Choice choice) {
        return by.from(queue, choice, 1).subscribeAsCompletionStage().orTimeout(AT_MOST.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {QUORUM, CLASSIC})
    void neitherOfTwoThatSearchAtTheSameTimeSaysThatWhatTheOtherHasInHandIsNotThere(String type) throws Exception {
        String queue = filled("two", type, 30);
        Uni<Void> slow = Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(500));
        for (int i = 0; i < 30; i += 2) {
            CompletableFuture<TakenOut> first = search(one, queue, only("m" + i, slow));
            CompletableFuture<TakenOut> second = search(other, queue, only("m" + (i + 1), slow));
            for (CompletableFuture<TakenOut> search : List.of(first, second)) {
                assertThat(search.join().end()).isIn(TakenOut.End.ENOUGH, TakenOut.End.SHARED);
            }
            int taken = first.join().count() + second.join().count();
            for (int again = i; again < i + 2; again++) {
                taken += search(one, queue, "m" + again).join().count();
            }
            assertThat(taken).isEqualTo(2);
        }
        awaitDepth(queue, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {QUORUM, CLASSIC})
    void aSearchWaitsForOneThatIsUnderWayAndThenFindsWhatThatPutBack(String type) throws Exception {
        String queue = filled("wait", type, 3);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        Uni<Void> slow = Uni.createFrom()
                .voidItem()
                .invoke(() -> begun.complete(null))
                .onItem()
                .delayIt()
                .by(Duration.ofSeconds(1));
        CompletableFuture<TakenOut> first = search(one, queue, only("m2", slow));
        begun.join();
        assertThat(search(other, queue, "m0").join()).isEqualTo(new TakenOut(1, TakenOut.End.ENOUGH, Optional.empty()));
        assertThat(first.join().end()).isEqualTo(TakenOut.End.ENOUGH);
        awaitDepth(queue, 1);
    }

    @Test
    void twoThatSearchAgainAndAgainDoNotDisturbEachOtherForEver() throws Exception {
        String queue = filled("again", QUORUM, 3);
        List<CompletableFuture<Integer>> both = Stream.of(one, other)
                .map(searcher -> CompletableFuture.supplyAsync(() -> searchesUntilAlone(searcher, queue)))
                .toList();
        for (CompletableFuture<Integer> searches : both) {
            assertThat(searches.join()).isLessThan(20);
        }
        awaitDepth(queue, 3);
    }

    private int searchesUntilAlone(TakeOut searcher, String queue) {
        int searches = 1;
        while (search(searcher, queue, "not there").join().end() != TakenOut.End.SEARCHED && searches < 20) {
            searches++;
        }
        return searches;
    }

    @ParameterizedTest
    @ValueSource(strings = {QUORUM, CLASSIC})
    void searchesOneAfterTheOtherFindWhatTheOneBeforePutBack(String type) throws Exception {
        String queue = filled("row", type, 60);
        List<TakenOut.End> ends = IntStream.range(0, 60)
                .mapToObj(i -> search(one, queue, "m" + (59 - i)).join().end())
                .toList();
        assertThat(ends).containsOnly(TakenOut.End.ENOUGH);
        awaitDepth(queue, 0);
    }

    @Test
    void theLastInTheQueueIsEnoughEvenIfItTakesItsTime() throws Exception {
        String queue = filled("last", QUORUM, 3);
        Uni<Void> slow = Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(500));
        assertThat(search(one, queue, only("m2", slow)).join())
                .isEqualTo(new TakenOut(1, TakenOut.End.ENOUGH, Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {QUORUM, CLASSIC})
    void whatTheBrokerDoesNotKnowToBeAcknowledgedIsNotTakenOut(String type) throws Exception {
        String queue = filled("cut", type, 3);
        TakenOut taken = one.from(queue, only("m1", Uni.createFrom().voidItem().invoke(proxy::reset)), 1)
                .await()
                .atMost(AT_MOST);
        assertThat(taken.end()).isEqualTo(TakenOut.End.FAILED);
        assertThat(taken.failure()).isPresent();
        awaitDepth(queue, 3);
        assertThat(search(one, queue, "m1").join()).isEqualTo(new TakenOut(1, TakenOut.End.ENOUGH, Optional.empty()));
        awaitDepth(queue, 2);
    }

    @Test
    void anAcknowledgementThatGetsLostOnItsWayIsNoSuccess() throws Exception {
        String queue = filled("lost", QUORUM, 3);
        CompletableFuture<TakenOut> taken =
                search(one, queue, only("m1", Uni.createFrom().voidItem().invoke(proxy::blackHole)));
        assertThat(taken.join().end()).isEqualTo(TakenOut.End.FAILED);
        assertThat(taken.join().count()).isEqualTo(1);
        proxy.reset();
        proxy.restore();
        awaitDepth(queue, 3);
    }

    @Test
    void aSearchWhoseTimeIsUpEndsWhatItBeganAndBeginsNoMore() throws Exception {
        String queue = filled("slow", QUORUM, 40);
        Uni<Void> slow = Uni.createFrom().voidItem().onItem().delayIt().by(QueueSearch.TIME.plusSeconds(1));
        TakenOut taken = one.from(queue, message -> Optional.of(slow), Integer.MAX_VALUE)
                .await()
                .atMost(QueueSearch.TIME.plusSeconds(10));
        assertThat(taken.end()).isEqualTo(TakenOut.End.CUT_OFF);
        assertThat(taken.count()).isBetween(1, 39);
        awaitDepth(queue, 40 - taken.count());
        assertThat(IntStream.range(taken.count(), 40).mapToObj(i -> "m" + i))
                .containsExactlyElementsOf(ids(queue, 40 - taken.count()));
    }

    @Test
    void aQueueThatIsLongerThanASearchIsCutOffAndKeptInItsOrder() throws Exception {
        int count = QueueSearch.MOST_LOOKED_AT + 10;
        String queue = filled("long", CLASSIC, count);
        assertThat(search(one, queue, "m" + (count - 1)).join())
                .isEqualTo(new TakenOut(0, TakenOut.End.CUT_OFF, Optional.empty()));
        awaitDepth(queue, count);
        assertThat(search(one, queue, "m0").join()).isEqualTo(new TakenOut(1, TakenOut.End.ENOUGH, Optional.empty()));
        awaitDepth(queue, count - 1);
        assertThat(ids(queue, 3)).containsExactly("m1", "m2", "m3");
    }

    /** The ids of the first messages, which are taken out. */
    private List<String> ids(String queue, int count) throws IOException {
        List<String> ids = new java.util.ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(wiring.plain().basicGet(queue, true).getProps().getMessageId());
        }
        return ids;
    }
}
