package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OverdueWatchTest {
    private final OverdueWatch watch = new OverdueWatch(Tier.of(Duration.ofSeconds(30)), 0);

    @Test
    void anEmptyTierIsNeverOverdue() {
        assertThat(watch.look(0, 0, 1_000_000)).isZero();
    }

    @Test
    void aTierThatWaitsNoLongerThanItsDelayIsNotOverdue() {
        watch.look(0, 0, 0);
        assertThat(watch.look(5, 0, 10_000)).isZero();
        assertThat(watch.look(5, 0, 30_000)).isZero();
    }

    @Test
    void aTierThatLetsNothingOutIsOverdueByWhatIsBeyondItsDelay() {
        watch.look(0, 0, 0);
        watch.look(5, 0, 10_000);
        assertThat(watch.look(5, 0, 30_001)).isEqualTo(1);
        assertThat(watch.look(9, 0, 90_000)).isEqualTo(60_000);
    }

    @Test
    void aTaskThatComesOutProvesThatItWorks() {
        watch.look(5, 0, 0);
        assertThat(watch.look(5, 1, 40_000)).isZero();
        assertThat(watch.look(5, 1, 70_000)).isZero();
        assertThat(watch.look(5, 1, 70_001)).isEqualTo(1);
    }

    @Test
    void aTaskThatAnotherInstanceTookProvesItToo() {
        watch.look(5, 0, 0);
        assertThat(watch.look(4, 0, 40_000)).isZero();
    }
}
