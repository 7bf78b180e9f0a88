package dev.deferred.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What the rounds gave, in turns: scheduling over HTTP, publishing with the bare client, and requests to an endpoint of the same
 * service that does nothing.
 */
final class Rounds {
    /** One round of each. CPU in µs for each task, message or request. */
    private record Round(
            Pace service, Pace bare, double serviceCpu, double generatorCpu, double bareCpu, double nothingCpu) {
        double ratio() {
            return service.perSecond() / bare.perSecond();
        }

        /**
         * The ratio of a service that adds to the bare client only what no HTTP service can leave out, where all processes share
         * the cores and keep them busy.
         */
        double limit() {
            double allOfBare = Runtime.getRuntime().availableProcessors() * 1e6 / bare.perSecond();
            return allOfBare / (allOfBare + nothingCpu + generatorCpu);
        }
    }

    private final List<Round> all = new ArrayList<>();

    private final boolean shared;

    private Rounds(boolean shared) {
        this.shared = shared;
    }

    static Rounds run(Options options, HttpLoad http, Supplier<byte[]> requests, BareClient bare, Observed process)
            throws IOException {
        Rounds rounds = new Rounds(options.brokerCores() == 0);
        Observed self = Observed.self();
        for (int round = 0; round < options.rounds(); round++) {
            Duration serviceBefore = process.cpu();
            Duration selfBefore = self.cpu();
            Pace scheduled = http.run(requests, options.round());
            double serviceCpu = scheduled.microsEach(process.cpu().minus(serviceBefore));
            double generatorCpu = scheduled.microsEach(self.cpu().minus(selfBefore));
            Duration bareBefore = self.cpu();
            Pace published = bare.run(options.round());
            double bareCpu = published.microsEach(self.cpu().minus(bareBefore));
            Duration nothingBefore = process.cpu();
            Pace answered = http.run(Messages.requestsForNothing(), options.round());
            double nothingCpu = answered.microsEach(process.cpu().minus(nothingBefore));
            rounds.all.add(new Round(scheduled, published, serviceCpu, generatorCpu, bareCpu, nothingCpu));
        }
        return rounds;
    }

    void print(PrintStream out) {
        out.printf("medians of %d rounds%n", all.size());
        print(out, "tasks scheduled over HTTP", "%,.0f/s", round -> round.service()
                .perSecond());
        print(out, "messages published by the bare client", "%,.0f/s", round -> round.bare()
                .perSecond());
        print(out, "  scheduled / published", "%.2f", Round::ratio);
        if (shared) {
            print(out, "  at most, with an endpoint that does nothing", "%.2f", Round::limit);
        }
        print(out, "CPU of the service for each task", "%.0f µs", Round::serviceCpu);
        print(out, "CPU of the load generator for each task", "%.0f µs", Round::generatorCpu);
        print(out, "CPU of the bare client for each message", "%.0f µs", Round::bareCpu);
        print(out, "CPU of an endpoint that does nothing", "%.0f µs", Round::nothingCpu);
    }

    private void print(PrintStream out, String what, String format, ToDoubleFunction<Round> figure) {
        Figures.print(out, what, format, all.stream().mapToDouble(figure));
    }
}
