package dev.deferred.bench;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import dev.deferred.testing.ServiceProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeoutException;

/** Measures the packaged service and the bare client in turns on one broker, and prints a table. */
public final class Bench {
    private static final Duration LONG = Duration.ofMinutes(30);

    /** So short that what else the machine does meets both sides alike. */
    private static final Duration TURN = Duration.ofSeconds(2);

    private static final int WARM_UP_TURNS = 5;

    private final Options options;
    private final PrintStream out;

    private Bench(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Runs everything; see {@code --help}. */
    public static void main(String... arguments) throws IOException, TimeoutException {
        try {
            new Bench(Options.parse(arguments), System.out).run();
        } catch (IllegalArgumentException e) {
            System.err.printf("%s%n%s", e.getMessage(), Options.USAGE);
            System.exit(2);
        }
        System.exit(0);
    }

    private void run() throws IOException, TimeoutException {
        try (BenchBroker broker = BenchBroker.find();
                ServiceProcess service = ServiceProcess.start("bench", broker.serviceSettings());
                Connection connection = broker.connect();
                HttpLoad http = new HttpLoad(service.port(), options.concurrency())) {
            await("the service to be ready").atMost(Duration.ofSeconds(60)).until(() -> service.http()
                    .isReady());
            Observed process = Observed.of(service.pid());
            Lateness bareDue = new Lateness(connection, broker.own("due"), broker.own("due"));
            BareClient bare =
                    new BareClient(connection, broker.own("wait"), LONG, broker.own("due"), options.concurrency());
            http.run(Messages.request(LONG), options.warmUp());
            bare.run(options.warmUp());

            Rounds rounds = Rounds.run(options, http, Messages.request(LONG), bare, process);
            rounds.print(out);
            if (!options.lateness().isZero()) {
                lateness(broker, connection, http, bareDue);
            }
            if (options.pending() > 0) {
                broker.purgeDelay(connection, LONG);
                heap(process, http);
            }
        }
    }

    private void lateness(BenchBroker broker, Connection connection, HttpLoad http, Lateness bareDue)
            throws IOException {
        Duration second = Duration.ofSeconds(1);
        BareClient bare =
                new BareClient(connection, broker.own("delay"), second, broker.own("due"), options.concurrency());
        Lateness serviceDue = new Lateness(connection, broker.own("service-seen"), broker.names.tasks());
        long turns = Math.max(1, options.lateness().dividedBy(TURN));
        long[] over = new long[(int) turns];
        for (int turn = -WARM_UP_TURNS; turn < turns; turn++) {
            if (turn == 0) {
                serviceDue.forget();
                bareDue.forget();
            }
            long service = serviceDue.awaitP99(http.runPaced(Messages.request(second), options.perSecond(), TURN));
            long client = bareDue.awaitP99(bare.runPaced(options.perSecond(), TURN));
            if (turn >= 0) {
                over[turn] = service - client;
            }
        }
        Arrays.sort(over);
        print(
                "lateness at %d/s, p50 / p99 / max",
                "service %5d / %d / %d ms", "bare %d / %d / %d ms", serviceDue, bareDue);
        out.printf("%-42s %+d ms%n", "  p99 over bare, median of %d turns".formatted(turns), over[over.length / 2]);
    }

    private void print(String what, String left, String right, Lateness service, Lateness bare) {
        out.printf(
                Locale.ROOT,
                "%-42s %-26s %s%n",
                what.formatted(options.perSecond()),
                left.formatted(service.quantile(0.5), service.quantile(0.99), service.quantile(1)),
                right.formatted(bare.quantile(0.5), bare.quantile(0.99), bare.quantile(1)));
    }

    private void heap(Observed process, HttpLoad http) {
        long waiting = 0;
        for (int half = 0; half <= 2; half++) {
            long wanted = (long) options.pending() * half / 2;
            waiting += http.run(Messages.request(LONG), wanted - waiting).count();
            out.printf(
                    Locale.ROOT,
                    "%-42s %.1f MB%n",
                    "live heap with %,d tasks pending".formatted(waiting),
                    process.liveHeap() / 1e6);
        }
    }
}
