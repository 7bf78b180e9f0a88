package dev.deferred.core;

/** What to do next with a task, given how much of its delay is left. */
public sealed interface Step {
    /** Send it to a tier and look again when it comes out. */
    record Hop(Tier tier) implements Step {}

    /** Hold it at the gate for that many milliseconds (1 or more, less than the smallest tier), then release it. */
    record Hold(long millis) implements Step {}

    /** It is due: release it. */
    record Release() implements Step {}
}
