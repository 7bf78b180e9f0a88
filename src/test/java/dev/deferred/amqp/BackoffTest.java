package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void doublesUpToTheCapAndStartsAgain() {
        Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5), new Random(1));
        long[] bases = {200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000};
        for (long base : bases) {
            assertThat(backoff.next().toMillis()).isBetween(base, base + base / 5);
        }
        for (int i = 0; i < 10_000; i++) {
            assertThat(backoff.next().toMillis()).isBetween(5_000L, 6_000L);
        }
        backoff.reset();
        assertThat(backoff.next().toMillis()).isBetween(200L, 240L);
    }
}
