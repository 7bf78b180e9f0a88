package dev.deferred.amqp;

/**
 * The attributes of an incoming channel.
 *
 * @param channel its name
 * @param queue the queue it consumes
 * @param prefetch how many messages may be unsettled at a time: 1 to 65,535
 */
record IncomingAttributes(String channel, String queue, int prefetch) {
    static IncomingAttributes of(ChannelAttributes attributes) {
        return new IncomingAttributes(attributes.channel(), attributes.required("queue.name"), (int)
                attributes.number("prefetch", 100, 1, 65_535));
    }
}
