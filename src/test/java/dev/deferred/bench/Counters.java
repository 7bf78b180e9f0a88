package dev.deferred.bench;

import dev.deferred.testing.ServiceHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Predicate;

/** What a service counts, as its metrics page says. */
final class Counters {
    private final ServiceHttp service;

    Counters(ServiceHttp service) {
        this.service = service;
    }

    /** The sum of all series of that name whose labels, {@code {…}} or nothing, are wanted. */
    long sum(String name, Predicate<String> labels) {
        try {
            return (long) service.get("/q/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                    .filter(line -> labels.test(line.substring(name.length(), line.lastIndexOf(' '))))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
