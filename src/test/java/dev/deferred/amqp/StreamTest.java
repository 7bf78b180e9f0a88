package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.FaultProxy;
import dev.deferred.testing.NeedsBrokerNode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Channels on a stream: everybody reads all of it. */
@NeedsBrokerNode
class StreamTest {
    private static final Duration AT_MOST = Duration.ofSeconds(30);
    private static final Map<String, Object> STREAM =
            Map.of("x-queue-type", "stream", "x-max-length-bytes", 67_108_864L);

    private static BrokerNode node;
    private FaultProxy proxy;
    private Wiring wiring;

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
    }

    @AfterEach
    void unwire() throws Exception {
        wiring.close();
        proxy.close();
    }

    private static Collection<String> read(IncomingChannel channel) {
        Collection<String> ids = new ConcurrentLinkedQueue<>();
        channel.messages()
                .onItem()
                .transformToUniAndConcatenate(message -> {
                    ids.add(Incoming.of(message).properties().getMessageId());
                    return io.smallrye.mutiny.Uni.createFrom().completionStage(message::ack);
                })
                .subscribe()
                .with(settled -> {});
        return ids;
    }

    private static List<String> send(OutgoingChannel channel, String name, int count) throws Exception {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> name + i).toList();
        for (String id : ids) {
            Wiring.send(channel, id).get(10, TimeUnit.SECONDS);
        }
        return ids;
    }

    private static void awaitAll(Collection<String> read, List<String> sent) {
        await().atMost(AT_MOST).untilAsserted(() -> assertThat(read).containsExactlyElementsOf(sent));
    }

    @Test
    void moreThanThePrefetchIsReadFromTheBeginningByEveryReader() throws Exception {
        OutgoingChannel out = wiring.outgoing("read-by-two", STREAM, 1_000);
        Collection<String> one = read(wiring.reading("read-by-two"));
        Collection<String> other = read(wiring.reading("read-by-two"));
        wiring.start();
        List<String> sent = send(out, "m", 250);
        awaitAll(one, sent);
        awaitAll(other, sent);
    }

    @Test
    void afterALostConnectionItGoesOnWhereItWas() throws Exception {
        OutgoingChannel out = wiring.outgoing("cut", STREAM, 1_000);
        Collection<String> read = read(wiring.reading("cut"));
        wiring.start();
        List<String> before = send(out, "before", 5);
        awaitAll(read, before);
        proxy.reset();
        List<String> sent = new java.util.ArrayList<>(before);
        sent.addAll(send(out, "after", 5));
        awaitAll(read, sent);
    }

    @Test
    void aStreamThatWasDeletedAndMadeAnewIsReadFromItsBeginning() throws Exception {
        OutgoingChannel out = wiring.outgoing("anew", STREAM, 1_000);
        Collection<String> read = read(wiring.reading("anew"));
        wiring.start();
        awaitAll(read, send(out, "before", 5));
        read.clear();
        wiring.plain().queueDelete("anew");
        await().atMost(AT_MOST).until(() -> !Wiring.send(out, "there")
                .handle((done, failure) -> failure)
                .thenApply(failure -> failure != null)
                .get(10, TimeUnit.SECONDS));
        await().atMost(AT_MOST).untilAsserted(() -> assertThat(read).containsExactly("there"));
    }
}
