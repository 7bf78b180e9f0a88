package dev.deferred.bench;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import dev.deferred.core.Ladder;
import dev.deferred.core.Step;
import dev.deferred.core.Tier;
import dev.deferred.scheduling.Scheduler;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Delays between the tiers, log-uniform from 1 s to 1 h: as many from 1 s to 1 min as from 1 min to 1 h. Delays and tiers are
 * {@value #SCALE} times shorter; a hop is not. The rate is doubled from step to step, until lateness is out of its bound.
 */
final class BetweenTiers {
    private static final int SCALE = 100;
    private static final double SHORTEST_MILLIS = 1_000.0 / SCALE;
    private static final double LONGEST_MILLIS = 3_600_000.0 / SCALE;
    private static final Duration BOUND = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Options options;
    private final Ladder ladder;
    private final HttpLoad http;
    private final Counters counters;
    private final Lateness seen;
    private final Random random = new Random(1);

    private long tasks;
    private long planned;

    BetweenTiers(
            Options options,
            BenchBroker broker,
            Connection connection,
            Installation service,
            HttpLoad http,
            Counters counters)
            throws IOException {
        this.options = options;
        this.ladder = service.ladder();
        this.http = http;
        this.counters = counters;
        this.seen = new Lateness(
                connection, broker.own("between-seen"), service.names().tasks());
    }

    /** Those of the tiers that are of use to such delays, as much shorter. */
    static List<Tier> scaled(List<Tier> tiers) {
        return tiers.stream()
                .filter(tier -> tier.millis() <= LONGEST_MILLIS * SCALE)
                .map(tier -> Tier.of(Duration.ofMillis(tier.millis() / SCALE)))
                .toList();
    }

    void run(PrintStream out) {
        step(options.perSecond()); // to warm up
        long best = 0;
        boolean within = true;
        for (int rate = options.perSecond(); within && rate <= options.mostPerSecond(); rate *= 2) {
            seen.takeWhatCame();
            Pace sent = step(rate);
            Sample came = Sample.of(seen.takeWhatCame());
            within = came.quantile(0.99) <= BOUND.toMillis();
            best = within ? Math.round(sent.perSecond()) : best;
            out.printf(
                    Locale.ROOT,
                    "%-44s %-26s of %,.0f/s%n",
                    "1 s to 1 h, %d times shorter, at %,d/s".formatted(SCALE, rate),
                    came,
                    came.count() * 1e9 / sent.time().toNanos());
        }
        out.printf(
                Locale.ROOT,
                "%-44s %,d/s%n",
                "  most of these with p99 within %d ms".formatted(BOUND.toMillis()),
                best);
        out.printf(
                Locale.ROOT,
                "%-44s %.2f (without any lateness %.2f)%n",
                "  tiers each task passed",
                (double) passed() / tasks,
                (double) planned / tasks);
    }

    /** How many tiers all tasks have passed, once all are through. */
    private long passed() {
        await("all tasks to be released")
                .atMost(Duration.ofMillis((long) LONGEST_MILLIS).plus(LIMIT))
                .until(() -> counters.sum("deferred_lateness_seconds_count", all -> true) >= tasks);
        return counters.sum("deferred_scheduled_total", labels -> !labels.contains("via=\"" + Scheduler.VIA_GATE + '"'))
                + counters.sum("deferred_hops_total", all -> true);
    }

    private Pace step(int rate) {
        return http.runPaced(this::request, rate, options.step());
    }

    private byte[] request() {
        double exponent = random.nextDouble() * Math.log(LONGEST_MILLIS / SHORTEST_MILLIS);
        long millis = Math.round(SHORTEST_MILLIS * Math.exp(exponent));
        tasks++;
        planned += hops(millis);
        return Messages.request(Duration.ofMillis(millis));
    }

    private long hops(long millis) {
        long hops = 0;
        long left = millis;
        while (ladder.next(left) instanceof Step.Hop hop) {
            left -= hop.tier().millis();
            hops++;
        }
        return hops;
    }
}
