package dev.deferred.scheduling;

import dev.deferred.amqp.DeferredConnector;
import dev.deferred.core.Ladder;
import dev.deferred.core.Tier;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory.ConfigurableConfigSourceFactory;
import io.smallrye.config.PropertiesConfigSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Expands {@code deferred.*} to the channels: their exchanges, queues and arguments, as plain
 * {@code mp.messaging.*} properties that weigh less than any other source, so that each can be overridden.
 */
public class ChannelDefaults implements ConfigurableConfigSourceFactory<SchedulingConfig> {
    private static final int ORDINAL = 50;

    /** Quarkus's own source of the build tool's properties, which is there only while it builds. */
    private static final String BUILD_ONLY_SOURCE = "PropertiesConfigSource[source=Build system]";

    /** Returned more often than this, a message would circle for ever; a service that crashes does not reach it by bad luck. */
    private static final int DELIVERY_LIMIT = 100;

    /** Parked messages may be looked at, and returned, any number of times. */
    private static final int PARKED_DELIVERY_LIMIT = 1_000_000_000;

    /** Room for the notes of 4,000 parked tasks at least; one has at most 12 kB. */
    private static final long LOG_BYTES = 64L * 1_024 * 1_024;

    /** In such parts it is cut off. */
    private static final long LOG_SEGMENT_BYTES = 16L * 1_024 * 1_024;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context, SchedulingConfig config) {
        return isBuild(context)
                ? List.of()
                : List.of(new PropertiesConfigSource(properties(config), "channels of Deferred", ORDINAL));
    }

    /**
     * While it builds the application Quarkus records what it finds, as defaults for ever: channels of tiers, names and arguments
     * that the settings of the running service no longer mean.
     */
    private static boolean isBuild(ConfigSourceContext context) {
        return context.getConfigSources().stream()
                .anyMatch(source -> source.getName().equals(BUILD_ONLY_SOURCE));
    }

    /** The properties of all channels except the normal queue's routing keys, which the handlers say. */
    static Map<String, String> properties(SchedulingConfig config) {
        Names names = new Names(config.prefix());
        Map<String, String> all = new LinkedHashMap<>();

        Channel in = new Channel(all, "outgoing", Names.IN_CHANNEL, config);
        in.exchange(names.in(), "topic");
        in.set("exchange.alternate-exchange", names.parked());

        Channel due = new Channel(all, "incoming", Names.DUE_CHANNEL, config);
        due.exchange(names.in(), "topic");
        due.set("exchange.alternate-exchange", names.parked());
        due.workQueue(names.due(), names);
        due.set("routing-keys", "#");
        due.set("prefetch", config.gatePrefetch());

        Channel release = new Channel(all, "outgoing", Names.RELEASE_CHANNEL, config);
        release.exchange(names.tasks(), "topic");

        Channel elsewhere = new Channel(all, "outgoing", Names.ELSEWHERE_CHANNEL, config);
        elsewhere.exchange(names.tasks(), "topic");

        Channel retry = new Channel(all, "outgoing", Names.RETRY_CHANNEL, config);
        retry.exchange(names.retry(), "fanout");
        retry.workQueue(names.tasks(), names);

        Channel tasks = new Channel(all, "incoming", Names.TASKS_CHANNEL, config);
        tasks.exchange(names.tasks(), "topic");
        tasks.workQueue(names.tasks(), names);
        tasks.set("routing-keys-name", Names.HANDLED_TYPES);
        tasks.set("prefetch", config.work().prefetch());

        Channel suspect = new Channel(all, "outgoing", Names.SUSPECT_CHANNEL, config);
        suspect.exchange(names.suspects(), "fanout");
        suspect.workQueue(names.suspects(), names);

        Channel suspects = new Channel(all, "incoming", Names.SUSPECTS_CHANNEL, config);
        suspects.exchange(names.suspects(), "fanout");
        suspects.workQueue(names.suspects(), names);
        suspects.set("prefetch", 1);

        Channel park = new Channel(all, "outgoing", Names.PARK_CHANNEL, config);
        park.exchange(names.parked(), "fanout");
        park.queue(names.parked());
        park.deliveryLimit(PARKED_DELIVERY_LIMIT);

        Channel parkLog = new Channel(all, "outgoing", Names.PARK_LOG_CHANNEL, config);
        parkLog.log(names.parkedLog());

        Channel parkedLog = new Channel(all, "incoming", Names.PARKED_LOG_CHANNEL, config);
        parkedLog.log(names.parkedLog());
        parkedLog.set("stream-offset", "first");

        for (Tier tier : ladder(config).tiers()) {
            Channel delay = new Channel(all, "outgoing", Names.channel(tier), config);
            delay.exchange(names.delay(tier), "fanout");
            delay.queue(names.delay(tier));
            delay.deadLetterTo(names.in());
            delay.set("queue.ttl", tier.millis());
        }
        return all;
    }

    /**
     * The configured ladder.
     *
     * @throws ConfigurationException for an operator to read
     */
    static Ladder ladder(SchedulingConfig config) {
        try {
            return Ladder.parse(config.tiers());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException("deferred.tiers is \"" + config.tiers() + "\": " + e.getMessage()
                    + ". Change it in the configuration.");
        }
    }

    /** Writes the attributes of one channel. */
    private static final class Channel {
        private final Map<String, String> all;
        private final String start;
        private final boolean quorum;

        Channel(Map<String, String> all, String direction, String name, SchedulingConfig config) {
            this.all = all;
            this.start = "mp.messaging." + direction + "." + name + ".";
            this.quorum = config.queueType() == QueueType.QUORUM;
            set("connector", DeferredConnector.NAME);
            set("declare", config.declare());
            if (direction.equals("outgoing")) {
                set("send-timeout", config.sendTimeout().toMillis());
                set("max-in-flight", config.maxInFlight());
            }
        }

        void exchange(String name, String type) {
            set("exchange.name", name);
            set("exchange.type", type);
        }

        void queue(String name) {
            set("queue.name", name);
            set("queue.x-queue-type", quorum ? "quorum" : "classic");
        }

        /** A stream: read by every instance, consumed by none; its oldest part goes when it is full. */
        void log(String name) {
            exchange(name, "fanout");
            set("queue.name", name);
            set("queue.x-queue-type", "stream");
            set("queue.x-max-length-bytes", LOG_BYTES);
            set("queue.x-stream-max-segment-size-bytes", LOG_SEGMENT_BYTES);
        }

        /** A queue whose messages the broker parks when they come back too often. */
        void workQueue(String name, Names names) {
            queue(name);
            deadLetterTo(names.parked());
            deliveryLimit(DELIVERY_LIMIT);
        }

        /** At least once, which takes a queue that refuses what it can't hold; classic queues know no such thing. */
        void deadLetterTo(String exchange) {
            set("queue.dead-letter-exchange", exchange);
            if (quorum) {
                set("queue.dead-letter-strategy", "at-least-once");
                set("queue.overflow", "reject-publish");
            }
        }

        void deliveryLimit(int limit) {
            if (quorum) {
                set("queue.x-delivery-limit", limit);
            }
        }

        void set(String attribute, Object value) {
            all.put(start + attribute, value.toString());
        }
    }
}
