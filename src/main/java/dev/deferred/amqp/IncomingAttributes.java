package dev.deferred.amqp;

import java.util.Optional;
import java.util.Set;

/**
 * The attributes of an incoming channel.
 *
 * @param channel its name
 * @param queue the queue it consumes
 * @param prefetch how many messages may be unsettled at a time: 1 to 65,535
 * @param streamOffset where to begin in a queue that is a stream: {@code first}, {@code last} or {@code next}; empty for other
 *     queues. After a reconnect it goes on behind the last message it saw
 */
record IncomingAttributes(String channel, String queue, int prefetch, Optional<String> streamOffset) {
    private static final Set<String> OFFSETS = Set.of("first", "last", "next");

    static IncomingAttributes of(ChannelAttributes attributes) {
        Optional<String> offset = attributes.text("stream-offset");
        offset.filter(text -> !OFFSETS.contains(text)).ifPresent(text -> {
            throw new IllegalArgumentException("Channel " + attributes.channel() + ": stream-offset is \"" + text
                    + "\", but must be one of " + OFFSETS + ". Change it in the configuration.");
        });
        return new IncomingAttributes(
                attributes.channel(),
                attributes.required("queue.name"),
                (int) attributes.number("prefetch", 100, 1, 65_535),
                offset);
    }
}
