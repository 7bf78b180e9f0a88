package dev.deferred.core;

/**
 * Tells whether a tier still lets its tasks out. Nothing but expiry takes a task out of a tier, so within any time longer than
 * the tier's delay in which it was never seen empty, some task must have come out. Not thread-safe.
 */
public final class OverdueWatch {
    private final long tierMillis;
    private long depthAtLastLook;
    private long cameOutAtLastLook;
    private long lastProofMillis;

    /**
     * A watch on one tier.
     *
     * @param nowMillis the time of any monotonic clock, in milliseconds
     */
    public OverdueWatch(Tier tier, long nowMillis) {
        this.tierMillis = tier.millis();
        this.lastProofMillis = nowMillis;
    }

    /**
     * Looks at the tier.
     *
     * @param depth how many tasks wait in it now
     * @param cameOut how many were seen to come out of it, ever
     * @param nowMillis the time now
     * @return for how many milliseconds its oldest task has been overdue at least; 0 when there is no sign of that
     */
    public long look(long depth, long cameOut, long nowMillis) {
        if (depth == 0 || depth < depthAtLastLook || cameOut > cameOutAtLastLook) {
            lastProofMillis = nowMillis;
        }
        depthAtLastLook = depth;
        cameOutAtLastLook = cameOut;
        return Math.max(0, nowMillis - lastProofMillis - tierMillis);
    }
}
