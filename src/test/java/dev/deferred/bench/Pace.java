package dev.deferred.bench;

import java.time.Duration;

/** How much was done in which time. */
record Pace(long count, Duration time) {
    double perSecond() {
        return count * 1e9 / time.toNanos();
    }

    /** That much CPU divided by the count, in µs. */
    double microsEach(Duration cpu) {
        return cpu.toNanos() / 1e3 / count;
    }
}
