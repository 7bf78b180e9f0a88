package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LadderTest {
    private static final Ladder DEFAULT = Ladder.parse("1s,2s,5s,10s,20s,30s,1m,2m,5m,10m,15m,30m,1h,2h,6h,12h,1d,7d");
    private static final long MAX_DELAY = Duration.ofDays(366).toMillis();

    @ParameterizedTest
    @CsvSource({
        "-9223372036854775808, release", "-1, release", "0, release", "1, hold 1", "999, hold 999", "1000, 1s",
                "1001, 1s", "1999, 1s",
        "2000, 2s", "29999, 20s", "30000, 30s", "30001, 30s", "1799999, 15m", "1800000, 30m", "604799999, 1d",
                "604800000, 7d",
        "604800001, 7d", "31622400000, 7d", "31622400001, 7d", "9223372036854775807, 7d"
    })
    void takesTheLargestTierThatFits(long left, String expected) {
        assertThat(describe(DEFAULT.next(left))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                999,
                1_000,
                1_001,
                1_999,
                30_000,
                59_999,
                3_599_999,
                604_799_999,
                604_800_000,
                31_622_399_999L,
                31_622_400_000L
            })
    void paysEveryDelayExactly(long delay) {
        assertThat(hops(DEFAULT, delay).stream().mapToLong(Long::longValue).sum())
                .isEqualTo(delay);
    }

    @Test
    void paysRandomDelaysExactlyAndInFewHops() {
        Random random = new Random(42);
        for (int i = 0; i < 10_000; i++) {
            long delay = random.nextLong(MAX_DELAY + 1);
            List<Long> hops = hops(DEFAULT, delay);
            assertThat(hops.stream().mapToLong(Long::longValue).sum()).isEqualTo(delay);
            // at most 52 weeks, 6 days, and the digits of a day in the smaller tiers
            assertThat(hops).hasSizeLessThan(52 + 6 + 16 + 1);
        }
    }

    @Test
    void aDelayEqualToATierIsOneHop() {
        DEFAULT.tiers().forEach(tier -> assertThat(hops(DEFAULT, tier.millis())).containsExactly(tier.millis()));
    }

    @Test
    void holdsLessThanTheSmallestTierWhateverTheTiers() {
        for (String tiers : List.of("1ms", "7s", "1d", "3s,1m", "5ms,1s")) {
            Ladder ladder = Ladder.parse(tiers);
            for (long left = 1; left < 10_000; left++) {
                if (ladder.next(left) instanceof Step.Hold hold) {
                    assertThat(hold.millis())
                            .isEqualTo(left)
                            .isLessThan(ladder.tiers().get(0).millis());
                }
            }
        }
    }

    @Test
    void theOrderAndRepetitionOfTheListDoNotMatter() {
        assertThat(Ladder.parse("1m, 1s,60s,1s").tiers()).extracting(Tier::name).containsExactly("1s", "1m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "1s,", "1s,,2s", "0s", "0ms", "-1s", "1", "1s,abc", "3651d", "PT-1S"})
    void refusesAListThatIsNoneAndNamesTheEntry(String tiers) {
        assertThatThrownBy(() -> Ladder.parse(tiers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tier");
    }

    private static List<Long> hops(Ladder ladder, long delay) {
        List<Long> hops = new ArrayList<>();
        long left = delay;
        while (!(ladder.next(left) instanceof Step.Release)) {
            long paid = ladder.next(left) instanceof Step.Hop hop ? hop.tier().millis() : left;
            hops.add(paid);
            left -= paid;
        }
        return hops;
    }

    private static String describe(Step step) {
        if (step instanceof Step.Hop hop) {
            return hop.tier().name();
        }
        return step instanceof Step.Hold hold ? "hold " + hold.millis() : "release";
    }
}
