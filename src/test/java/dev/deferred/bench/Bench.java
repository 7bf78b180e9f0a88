package dev.deferred.bench;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.deferred.bench.handlers.FailsAtFirst;
import dev.deferred.core.Ladder;
import dev.deferred.core.Tier;
import dev.deferred.testing.ServiceProcess;
import dev.deferred.testing.ServiceWithHandlers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Measures the packaged service and the bare client in turns on one broker, and prints a table. */
public final class Bench {
    private static final Duration LONG = Duration.ofMinutes(30);

    private static final Ladder TIERS = Ladder.parse("1s,2s,5s,10s,20s,30s,1m,2m,5m,10m,15m,30m,1h,2h,6h,12h,1d,7d");

    private final Options options;
    private final PrintStream out;

    private Bench(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Runs everything; see {@code --help}. */
    public static void main(String... arguments) throws Exception {
        try {
            new Bench(Options.parse(arguments), System.out).run();
        } catch (IllegalArgumentException e) {
            System.err.printf("%s%n%s", e.getMessage(), Options.USAGE);
            System.exit(2);
        }
        System.exit(0);
    }

    private void run() throws Exception {
        Path service = ServiceWithHandlers.packaged(FailsAtFirst.class.getPackage());
        try (BenchBroker broker = BenchBroker.find(options.brokerCores());
                Connection connection = broker.connect()) {
            unscaled(service, broker, connection);
            if (!options.step().isZero() || options.failing() > 0) {
                scaled(service, broker, connection);
            }
        }
    }

    private void unscaled(Path jar, BenchBroker broker, Connection connection) throws IOException {
        Installation service = broker.installation("unscaled", TIERS.tiers());
        try (ServiceProcess process = ServiceProcess.start(jar, "bench", service.settings(broker.settings()));
                HttpLoad http = new HttpLoad(process.port(), options.concurrency())) {
            awaitReady(process);
            Observed observed = Observed.of(process.pid());
            BareClient bare =
                    new BareClient(connection, broker.own("wait"), LONG, broker.own("wait-due"), options.concurrency());
            http.run(Messages.requests(LONG), options.warmUp());
            http.run(Messages.requestsForNothing(), options.warmUp());
            bare.run(options.warmUp());
            Rounds.run(options, http, Messages.requests(LONG), bare, observed).print(out);
            if (!options.lateness().isZero()) {
                new OneTier(options, broker, connection, service, http).run(out);
            }
            if (options.pending() > 0) {
                purge(connection, service.names().delay(Tier.of(LONG)));
                heap(observed, http);
            }
        }
    }

    /** With tiers so short that delays of an hour are measured in seconds, and with work that fails. */
    private void scaled(Path jar, BenchBroker broker, Connection connection) throws IOException {
        Installation service = broker.installation("scaled", BetweenTiers.scaled(TIERS.tiers()));
        Map<String, String> settings = service.settings(broker.settings());
        settings.putAll(Retries.settings());
        try (ServiceProcess process = ServiceProcess.start(jar, "bench-scaled", settings);
                HttpLoad http = new HttpLoad(process.port(), options.concurrency())) {
            awaitReady(process);
            Counters counters = new Counters(process.http());
            if (!options.step().isZero()) {
                new BetweenTiers(options, broker, connection, service, http, counters).run(out);
            }
            if (options.failing() > 0) {
                BareWorker bare = new BareWorker(connection, broker.own("work"), broker.own("retry"));
                new Retries(options, http, counters, bare).run(out);
            }
        }
    }

    private static void awaitReady(ServiceProcess process) {
        await("the service to be ready").atMost(Duration.ofSeconds(60)).until(() -> process.http()
                .isReady());
    }

    private static void purge(Connection connection, String queue) throws IOException {
        try (Channel channel = connection.createChannel()) {
            channel.queuePurge(queue);
        } catch (TimeoutException e) {
            throw new IOException(e);
        }
    }

    private void heap(Observed process, HttpLoad http) {
        long waiting = 0;
        for (int half = 0; half <= 2; half++) {
            long wanted = (long) options.pending() * half / 2;
            waiting += http.run(Messages.requests(LONG), wanted - waiting).count();
            out.printf(
                    Locale.ROOT,
                    "%-44s %.1f MB%n",
                    "live heap with %,d tasks pending".formatted(waiting),
                    process.liveHeap() / 1e6);
        }
    }
}
