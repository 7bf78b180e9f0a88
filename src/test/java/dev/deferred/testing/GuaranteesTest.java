package dev.deferred.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.Seen.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each guarantee holds where it should, and can fail. */
class GuaranteesTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration BOUND = Duration.ofMillis(500);

    private final Evidence evidence = new Evidence();

    @Test
    void anAcceptedTaskThatNeverCameIsLost() {
        ask("a", Answer.ACCEPTED, 1000);
        ask("b", Answer.ACCEPTED, 1000);
        see("a", 1001, Place.DESTINATION);
        broken(new NothingLost(evidence), "1 tasks", "ref=b");
        holds(new NothingLost(evidence, 1, task -> false));
        holds(new NothingLost(evidence, 0, task -> task.ref().equals("b")));
        broken(new NothingLost(evidence, 0, task -> task.ref().equals("a")), "1 tasks", "ref=b");
    }

    @Test
    void aParkedTaskIsNotLost() {
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 1001, Place.PARKED);
        holds(new NothingLost(evidence));
    }

    @Test
    void aRefusedTaskMayStayAway() {
        ask("a", Answer.REFUSED, 1000);
        ask("b", Answer.UNKNOWN, 1000);
        holds(new NothingLost(evidence));
    }

    @Test
    void aTaskIsEarlyOneMillisecondBeforeItIsDueAndNotOnTheDot() {
        ask("dot", Answer.ACCEPTED, 1000);
        see("dot", 1000, Place.DESTINATION);
        holds(new NeverEarly(evidence));
        ask("early", Answer.ACCEPTED, 1000);
        see("early", 999, Place.DESTINATION);
        broken(new NeverEarly(evidence), "1 ms early", "ref=early");
    }

    @Test
    void aRefusedTaskThatRunsMayNotRunEarlyEither() {
        ask("a", Answer.REFUSED, 1000);
        see("a", 10, Place.DESTINATION);
        broken(new NeverEarly(evidence), "ref=a");
    }

    @Test
    void aSecondDeliveryMayNotBeEarlyEither() {
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 1000, Place.DESTINATION);
        see("a", 900, Place.DESTINATION);
        broken(new NeverEarly(evidence), "100 ms early");
    }

    @Test
    void latenessIsCountedFromTheDueTime() {
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 1500, Place.DESTINATION);
        holds(new LatenessBounded(evidence, BOUND, Duration.ZERO));
        ask("b", Answer.ACCEPTED, 1000);
        see("b", 1501, Place.DESTINATION);
        broken(new LatenessBounded(evidence, BOUND, Duration.ZERO), "501 ms late", "ref=b");
    }

    @Test
    void latenessIsCountedFromTheEndOfAFaultOnTheWay() {
        ask("a", Answer.ACCEPTED, 1000);
        disturb(900, 5000);
        see("a", 5500, Place.DESTINATION);
        holds(new LatenessBounded(evidence, BOUND, Duration.ZERO));
        ask("b", Answer.ACCEPTED, 1000);
        see("b", 5501, Place.DESTINATION);
        broken(new LatenessBounded(evidence, BOUND, Duration.ZERO), "501 ms late");
    }

    @Test
    void aFaultBeforeTheRequestExcusesNoLateness() {
        disturb(-5000, -1);
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 1501, Place.DESTINATION);
        broken(new LatenessBounded(evidence, BOUND, Duration.ZERO), "ref=a");
    }

    @Test
    void latenessIsCountedFromTheEndOfRecoveryAfterAFault() {
        Duration recovery = Duration.ofSeconds(3);
        disturb(-5000, -1000);
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 2500, Place.DESTINATION);
        holds(new LatenessBounded(evidence, BOUND, recovery));
        ask("b", Answer.ACCEPTED, 1000);
        see("b", 2501, Place.DESTINATION);
        broken(new LatenessBounded(evidence, BOUND, recovery), "501 ms late", "ref=b");
    }

    @Test
    void aParkedTaskIsSaidToBeParked() {
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 1001, Place.DESTINATION);
        holds(new NothingParked(evidence));
        ask("b", Answer.ACCEPTED, 1000);
        see("b", 1001, Place.PARKED);
        broken(new NothingParked(evidence), "1 tasks", "ref=b");
    }

    @Test
    void attemptsStayBetweenOneAndTheBound() {
        evidence.add(new Seen("a", "id-a", START, 1, Place.DESTINATION));
        evidence.add(new Seen("b", "id-b", START, 2, Place.PARKED));
        holds(new AttemptsBounded(evidence, 2));
        broken(new AttemptsBounded(evidence, 1), "ref=b");
        evidence.add(new Seen("c", "id-c", START, 0, Place.DESTINATION));
        broken(new AttemptsBounded(evidence, 2), "ref=c");
    }

    @Test
    void aDuplicateNeedsAFaultOnTheWay() {
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 1000, Place.DESTINATION);
        see("a", 1100, Place.DESTINATION);
        broken(new DuplicatesOnlyAfterFaults(evidence), "twice without a fault", "ref=a");
        disturb(1050, 1060);
        holds(new DuplicatesOnlyAfterFaults(evidence));
    }

    @Test
    void aFaultAfterTheLastDeliveryExcusesNoDuplicate() {
        ask("a", Answer.ACCEPTED, 1000);
        see("a", 1000, Place.DESTINATION);
        see("a", 1100, Place.PARKED);
        disturb(1101, 2000);
        broken(new DuplicatesOnlyAfterFaults(evidence), "twice without a fault");
    }

    @Test
    void aDuplicateKeepsItsIdEvenAfterAFault() {
        disturb(0, 2000);
        ask("a", Answer.UNKNOWN, 1000);
        evidence.add(new Seen("a", "one", START.plusMillis(1000), 1, Place.DESTINATION));
        holds(new DuplicatesOnlyAfterFaults(evidence));
        evidence.add(new Seen("a", "two", START.plusMillis(1001), 1, Place.DESTINATION));
        broken(new DuplicatesOnlyAfterFaults(evidence), "several ids");
    }

    @Test
    void aTaskComesOutUnderTheIdThatWasAnswered() {
        ask("a", Answer.ACCEPTED, 1000);
        evidence.add(new Seen("a", "another", START.plusMillis(1000), 1, Place.DESTINATION));
        broken(new DuplicatesOnlyAfterFaults(evidence), "answered id-a");
    }

    @Test
    void everyRequestIsAnsweredInTime() {
        ask("a", Answer.ACCEPTED, 1000);
        ask("b", Answer.REFUSED, 1000);
        ask("c", Answer.UNKNOWN, 1000);
        holds(new AnsweredInTime(evidence, Duration.ofMillis(20)));
        broken(new AnsweredInTime(evidence, Duration.ofMillis(19)), "3 tasks");
        ask("d", Answer.HUNG, 1000);
        broken(new AnsweredInTime(evidence, Duration.ofMillis(20)), "1 tasks", "ref=d");
    }

    @Test
    void anUnexpectedAnswerIsAnErrorHoweverFast() {
        ask("a", Answer.UNEXPECTED, 1000);
        broken(new AnsweredInTime(evidence, Duration.ofMillis(20)), "ref=a");
    }

    private void ask(String ref, Answer answer, long dueAfterMillis) {
        Optional<String> id = answer == Answer.ACCEPTED ? Optional.of("id-" + ref) : Optional.empty();
        evidence.add(new Produced(ref, id, START, START.plusMillis(dueAfterMillis), answer, Duration.ofMillis(20), ""));
    }

    private void see(String ref, long afterMillis, Place place) {
        evidence.add(new Seen(ref, "id-" + ref, START.plusMillis(afterMillis), 1, place));
    }

    private void disturb(long fromMillis, long toMillis) {
        evidence.add(new Disturbance("a fault", START.plusMillis(fromMillis), START.plusMillis(toMillis)));
    }

    private static void holds(Guarantee guarantee) {
        assertThatCode(guarantee::check).doesNotThrowAnyException();
    }

    private static void broken(Guarantee guarantee, String... messageParts) {
        assertThatThrownBy(guarantee::check).isInstanceOf(AssertionError.class).hasMessageContainingAll(messageParts);
    }
}
