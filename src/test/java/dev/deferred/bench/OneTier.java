package dev.deferred.bench;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Lateness of tasks that wait in one tier, beside a bare TTL queue, in turns. */
final class OneTier {
    private static final Duration DELAY = Duration.ofSeconds(1);

    /** So short that what else the machine does meets both sides alike. */
    private static final Duration TURN = Duration.ofSeconds(2);

    private static final int WARM_UP_TURNS = 5;

    private final Options options;
    private final HttpLoad http;
    private final Lateness serviceDue;
    private final BareClient bare;
    private final Lateness bareDue;

    OneTier(Options options, BenchBroker broker, Connection connection, Installation service, HttpLoad http)
            throws IOException {
        this.options = options;
        this.http = http;
        serviceDue = new Lateness(
                connection, broker.own("service-seen"), service.names().tasks());
        bareDue = new Lateness(connection, broker.own("delay-due"), broker.own("delay-due"));
        bare = new BareClient(connection, broker.own("delay"), DELAY, broker.own("delay-due"), options.concurrency());
    }

    void run(PrintStream out) throws IOException {
        int turns = (int) Math.max(1, options.lateness().dividedBy(TURN));
        List<Long> ofService = new ArrayList<>();
        List<Long> ofBare = new ArrayList<>();
        long[] over = new long[turns];
        for (int turn = -WARM_UP_TURNS; turn < turns; turn++) {
            List<Long> service = serviceDue.take(http.runPaced(Messages.requests(DELAY), options.perSecond(), TURN)
                    .count());
            List<Long> client =
                    bareDue.take(bare.runPaced(options.perSecond(), TURN).count());
            if (turn >= 0) {
                ofService.addAll(service);
                ofBare.addAll(client);
                over[turn] =
                        Sample.of(service).quantile(0.99) - Sample.of(client).quantile(0.99);
            }
        }
        Arrays.sort(over);
        out.printf(
                Locale.ROOT,
                "%-44s service %-18s bare %s%n",
                "lateness at %d/s, p50 / p99 / max".formatted(options.perSecond()),
                Sample.of(ofService),
                Sample.of(ofBare));
        out.printf(
                Locale.ROOT, "%-44s %+d ms%n", "  p99 over bare, median of %d turns".formatted(turns), over[turns / 2]);
    }
}
