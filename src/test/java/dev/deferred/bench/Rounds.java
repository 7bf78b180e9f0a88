package dev.deferred.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the rounds gave, in turns: scheduling over HTTP, then publishing with the bare client. */
final class Rounds {
    /** One round of both. CPU in µs for each task or message; the client's is the load generator's or the bare client's. */
    private record Round(Pace service, Pace bare, double serviceCpu, double generatorCpu, double bareCpu) {
        double ratio() {
            return service.perSecond() / bare.perSecond();
        }
    }

    private final List<Round> all = new ArrayList<>();

    private Rounds() {}

    static Rounds run(Options options, HttpLoad http, byte[] request, BareClient bare, Observed process)
            throws IOException {
        Rounds rounds = new Rounds();
        Observed self = Observed.self();
        for (int round = 0; round < options.rounds(); round++) {
            Duration serviceBefore = process.cpu();
            Duration selfBefore = self.cpu();
            Pace scheduled = http.run(request, options.round());
            double serviceCpu = scheduled.microsEach(process.cpu().minus(serviceBefore));
            double generatorCpu = scheduled.microsEach(self.cpu().minus(selfBefore));
            Duration bareBefore = self.cpu();
            Pace published = bare.run(options.round());
            double bareCpu = published.microsEach(self.cpu().minus(bareBefore));
            rounds.all.add(new Round(scheduled, published, serviceCpu, generatorCpu, bareCpu));
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
        print(out, "CPU of the service for each task", "%.0f µs", Round::serviceCpu);
        print(out, "CPU of the load generator for each task", "%.0f µs", Round::generatorCpu);
        print(out, "CPU of the bare client for each message", "%.0f µs", Round::bareCpu);
    }

    private void print(PrintStream out, String what, String format, ToDoubleFunction<Round> figure) {
        double[] sorted = all.stream().mapToDouble(figure).sorted().toArray();
        out.printf(
                Locale.ROOT,
                "%-42s %-14s (%s to %s)%n",
                what,
                format.formatted(sorted[sorted.length / 2]),
                format.formatted(sorted[0]),
                format.formatted(sorted[sorted.length - 1]));
    }
}
