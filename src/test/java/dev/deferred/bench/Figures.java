package dev.deferred.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Lines of figures that were measured several times. */
final class Figures {
    private Figures() {}

    /** Prints their median, the least and the greatest. */
    static void print(PrintStream out, String what, String format, DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        out.printf(
                Locale.ROOT,
                "%-44s %-14s (%s to %s)%n",
                what,
                shown(format, sorted[sorted.length / 2]),
                shown(format, sorted[0]),
                shown(format, sorted[sorted.length - 1]));
    }

    private static String shown(String format, double figure) {
        return String.format(Locale.ROOT, format, figure);
    }
}
