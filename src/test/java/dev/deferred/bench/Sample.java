package dev.deferred.bench;

import java.util.Collection;

/** How many milliseconds after their due times some messages arrived. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Sample(long[] sorted) {
    static Sample of(Collection<Long> millis) {
        return new Sample(millis.stream().mapToLong(Long::longValue).sorted().toArray());
    }

    int count() {
        return sorted.length;
    }

    /** The lateness that this share of the messages did not exceed, in ms; 0.5 is the median, 1 the maximum. 0 for none. */
    long quantile(double share) {
        return count() == 0 ? 0 : sorted[(int) Math.min(count() - 1, Math.floor(share * count()))];
    }

    @Override
    public String toString() {
        return "%d / %d / %d ms".formatted(quantile(0.5), quantile(0.99), quantile(1));
    }
}
