package dev.deferred.amqp;

import io.smallrye.reactive.messaging.providers.impl.ConnectorConfig;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;

/** The topology that the channels of a configuration describe, as the connector would put it together. */
public final class TopologyOf {
    private static final Pattern CHANNEL =
            Pattern.compile("mp\\.messaging\\.(incoming|outgoing)\\.([^.]+)\\.connector");

    private TopologyOf() {}

    public static Topology channels(Config config, Set<String> handledTypes) {
        Topology topology = Topology.EMPTY;
        for (String name : new TreeSet<>(
                java.util.stream.StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                        .toList())) {
            Matcher matcher = CHANNEL.matcher(name);
            if (matcher.matches()) {
                Config channel =
                        new ConnectorConfig("mp.messaging." + matcher.group(1) + ".", config, matcher.group(2)) {};
                topology = topology.and(new ChannelAttributes(channel).topology(keys -> handledTypes));
            }
        }
        return topology;
    }
}
