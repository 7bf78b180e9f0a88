package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.deferred.testing.AnsweredInTime;
import dev.deferred.testing.AttemptsBounded;
import dev.deferred.testing.Disturbance;
import dev.deferred.testing.DuplicatesOnlyAfterFaults;
import dev.deferred.testing.Evidence;
import dev.deferred.testing.LatenessBounded;
import dev.deferred.testing.NeverEarly;
import dev.deferred.testing.NothingLost;
import dev.deferred.testing.NothingParked;
import dev.deferred.testing.OutsideConsumer;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.ServiceHttp;
import dev.deferred.testing.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.logging.Logger;

/** Tasks of one type, what faults they meet, and what came of them. */
final class Scenario implements AutoCloseable {
    /** Something that goes wrong and is put right again. */
    @FunctionalInterface
    interface Fault {
        void happens() throws Exception;
    }

    private static final Logger LOG = Logger.getLogger(Scenario.class);

    /** A bound for a slow, busy machine; quiet runs measure lateness. */
    private static final Duration USUAL_LATENESS = Duration.ofSeconds(2);

    /** Reconnecting, and one retry of the broker's own dead-lettering, which this broker makes after five seconds. */
    private static final Duration RECOVERY = Duration.ofSeconds(20);

    /** Longer than any stall of dead-lettering that this broker's configuration allows. */
    private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(90);

    private static final Duration ANSWER_LIMIT = ServiceHttp.DEADLINE.plus(ServiceHttp.SLACK);
    private static final Duration QUICKLY = Duration.ofSeconds(1);
    private static final int PER_SECOND = 80;

    private final FaultBench bench;
    private final String type;
    private final Evidence evidence = new Evidence();
    private final OutsideConsumer consumer;
    private Traffic traffic;
    private int probes;

    private Scenario(FaultBench bench, String type) {
        this.bench = bench;
        this.type = type;
        this.consumer = OutsideConsumer.start(bench.broker, type, evidence);
    }

    static Scenario begin(FaultBench bench, String type) {
        return new Scenario(bench, type);
    }

    Evidence evidence() {
        return evidence;
    }

    /** Starts traffic that goes on through all that follows. */
    Traffic underTraffic(List<Duration> delays) {
        traffic = Traffic.start(bench.service.http(), type, PER_SECOND, delays, evidence);
        return traffic;
    }

    /** Traffic in every stage, once some of it has come out. */
    Traffic underMixedTraffic() {
        Traffic started = underTraffic(Traffic.MIXED_DELAYS);
        await("tasks in every stage")
                .atMost(Duration.ofSeconds(30))
                .until(() -> evidence.sightings().size() >= 5 * PER_SECOND);
        return started;
    }

    /** Sends one request and enters its answer. */
    Produced post(Duration delay) {
        Produced task = bench.service
                .http()
                .post(type, delay, type + "-probe-" + ++probes)
                .join();
        evidence.add(task);
        return task;
    }

    /** Waits until so many more requests have got an answer of this kind. */
    void awaitMore(Answer answer, int count) {
        int before = evidence.answered(answer).size();
        await(count + " more requests answered " + answer)
                .atMost(Duration.ofSeconds(60))
                .until(() -> evidence.answered(answer).size() >= before + count);
    }

    /** Lets a fault happen, and waits until the service is ready again by itself; all that is one disturbance. */
    void disturb(String what, Fault fault) throws Exception {
        Instant from = Instant.now();
        try {
            fault.happens();
            bench.awaitReady();
        } finally {
            evidence.add(new Disturbance(what, from, Instant.now()));
        }
    }

    /** Ends the traffic, checks that the service is as fast as ever, and that every promise was kept. */
    void everyPromiseIsKept() {
        assertAll(() -> promisesAreKept(new NothingLost(evidence)), new NothingParked(evidence)::check);
    }

    /** The same for a fault that destroyed tasks where they waited, and that left others without a queue for a time. */
    void promisesAreKept(NothingLost nothingLost) {
        if (traffic != null) {
            traffic.close();
        }
        assertAll(
                evidence.toString(),
                this::normalSpeedIsBack,
                () -> await().atMost(ARRIVAL_LIMIT).untilAsserted(nothingLost::check),
                new NeverEarly(evidence)::check,
                new LatenessBounded(evidence, USUAL_LATENESS, RECOVERY)::check,
                new AttemptsBounded(evidence, 1)::check,
                new DuplicatesOnlyAfterFaults(evidence)::check,
                new AnsweredInTime(evidence, ANSWER_LIMIT)::check);
    }

    private void normalSpeedIsBack() {
        await("a request to be accepted again")
                .atMost(RECOVERY)
                .until(() -> post(Duration.ZERO).answer() == Answer.ACCEPTED);
        for (int i = 0; i < 20; i++) {
            Produced task = post(Duration.ZERO);
            assertThat(task.answer()).as(task.toString()).isEqualTo(Answer.ACCEPTED);
            assertThat(task.took()).as(task.toString()).isLessThan(QUICKLY);
        }
    }

    @Override
    public void close() {
        if (traffic != null) {
            traffic.close();
        }
        consumer.close();
        LOG.infof("%s: %s", type, evidence);
    }
}
