package dev.deferred.scheduling;

import dev.deferred.amqp.TrueOrFalse;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How tasks wait. Durations are written as delays are: {@code 250ms}, {@code 30s}, {@code 1h30m}, {@code PT30M}. */
@ConfigMapping(prefix = "deferred")
public interface SchedulingConfig {
    /**
     * The tiers: one queue and one channel each. More tiers mean fewer hops for a task and more queues on the broker. A tier
     * taken out drains by itself. Each from 1ms to 3650d.
     */
    @WithDefault("1s,2s,5s,10s,20s,30s,1m,2m,5m,10m,15m,30m,1h,2h,6h,12h,1d,7d")
    String tiers();

    /**
     * What the names of all exchanges and queues begin with, so that several installations can share a virtual host. 1 to 50
     * letters, digits, '_', '-' or '.'.
     */
    @WithDefault("deferred")
    String prefix();

    /** {@code quorum} loses nothing; {@code classic} is for tasks that may be lost when the broker crashes. */
    @WithDefault("quorum")
    QueueType queueType();

    /** Whether the service makes its exchanges, queues and bindings; {@code false} only checks that exchanges and queues exist. */
    @WithDefault("true")
    @WithConverter(TrueOrFalse.class)
    boolean declare();

    /** The longest delay that is accepted. From 0s to 3650d. */
    @WithDefault("366d")
    @WithConverter(DelayConverter.class)
    Duration maxDelay();

    /**
     * The headers by which AMQP clients choose a delay, in milliseconds, separated by commas. Names of 1 to 255 bytes that don't
     * begin with "deferred-".
     */
    @WithDefault("x-delay")
    List<String> delayHeaders();

    /**
     * The exchanges, besides that of all tasks, to which callers may have tasks sent when they are due, separated by commas.
     * Each is a name, or a pattern in which {@code *} stands for any text; {@code amq.default} is the broker's default exchange.
     * The exchanges and queues by which tasks wait are never allowed.
     */
    Optional<List<String>> destinations();

    /** The largest payload that is accepted, in bytes. From 0 to 8M. */
    @WithDefault("256K")
    @WithConverter(MemorySizeConverter.class)
    MemorySize maxPayload();

    /**
     * How long the broker may take to confirm a message, a reconnect included, until a request is answered with 503. From
     * 100ms to 30s, so that HTTP connections outlive it.
     */
    @WithDefault("5s")
    @WithConverter(DelayConverter.class)
    Duration sendTimeout();

    /** How many messages of one channel may wait for their confirms; further ones are answered with 503. From 1 to 100000. */
    @WithDefault("1024")
    int maxInFlight();

    /**
     * How many tasks the gate may have in hand. Each is held for less than the smallest tier, so this bounds the rate of tasks
     * with odd delays. From 1 to 65535.
     */
    @WithDefault("2000")
    int gatePrefetch();

    /** How long a stop waits for what is in hand; the broker delivers the rest again. From 0s to 10m. */
    @WithDefault("10s")
    @WithConverter(DelayConverter.class)
    Duration shutdownGrace();

    /** How failed tasks are tried again. */
    RetryConfig retry();

    /** How due tasks are worked off here. */
    Work work();

    /** How due tasks are worked off here. */
    interface Work {
        /** How many handlers run at a time. From 1 to 65535. */
        @WithDefault("50")
        int concurrency();

        /** How many due tasks the service may have in hand, running or next. From the concurrency to 65535. */
        @WithDefault("100")
        int prefetch();

        /**
         * How long a handler may take. Must be shorter than the broker's acknowledgement timeout, 15 or 30 minutes by default.
         * From 1ms to 30m.
         */
        @WithDefault("10m")
        @WithConverter(DelayConverter.class)
        Duration timeLimit();
    }
}
