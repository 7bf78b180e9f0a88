package dev.deferred.amqp;

import dev.deferred.amqp.Topology.Binding;
import dev.deferred.amqp.Topology.Exchange;
import dev.deferred.amqp.Topology.Queue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;

/** Reads the attributes of one channel, each with its AMQP type. */
final class ChannelAttributes {
    private static final Set<String> EXCHANGE_TYPES = Set.of("topic", "direct", "fanout", "headers");

    /** RabbitMQ's own limit. */
    private static final long LARGEST_SEGMENT_BYTES = 3_000_000_000L;

    private final Config config;
    private final String channel;

    ChannelAttributes(Config config) {
        this.config = config;
        this.channel = config.getValue("channel-name", String.class);
    }

    String channel() {
        return channel;
    }

    Optional<String> text(String name) {
        return config.getOptionalValue(name, String.class).filter(text -> !text.isBlank());
    }

    String required(String name) {
        return text(name)
                .orElseThrow(() -> new IllegalArgumentException("Channel " + channel + " needs the attribute " + name
                        + "; none was found. Set it in the configuration."));
    }

    boolean flag(String name, boolean otherwise) {
        try {
            return text(name).map(new TrueOrFalse()::convert).orElse(otherwise);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Channel " + channel + ": " + name + " " + e.getMessage() + ". Change it in the configuration.", e);
        }
    }

    long number(String name, long otherwise, long least, long most) {
        long value = config.getOptionalValue(name, Long.class).orElse(otherwise);
        if (value < least || value > most) {
            throw new IllegalArgumentException("Channel " + channel + ": " + name + " is " + value
                    + ", but must be from " + least + " to " + most + ". Change it in the configuration.");
        }
        return value;
    }

    /**
     * What the channel needs on the broker.
     *
     * @param keysNamed routing keys by the name of the bean that knows them
     */
    Topology topology(Function<String, Set<String>> keysNamed) {
        boolean declare = flag("declare", true);
        Optional<String> exchange = text("exchange.name");
        Optional<String> queue = text("queue.name");
        return new Topology(
                exchange.map(name -> new Exchange(name, exchangeType(), exchangeArguments(), declare)).stream()
                        .toList(),
                queue.map(name -> new Queue(name, queueArguments(), declare)).stream()
                        .toList(),
                exchange.isPresent() && queue.isPresent()
                        ? routingKeys(keysNamed).stream()
                                .map(key -> new Binding(exchange.get(), queue.get(), key))
                                .toList()
                        : List.of());
    }

    private String exchangeType() {
        String type = text("exchange.type").orElse("topic").toLowerCase(Locale.ROOT);
        if (!EXCHANGE_TYPES.contains(type)) {
            throw new IllegalArgumentException("Channel " + channel + ": exchange.type is \"" + type
                    + "\", but must be one of " + EXCHANGE_TYPES + ". Change it in the configuration.");
        }
        return type;
    }

    private Map<String, Object> exchangeArguments() {
        return text("exchange.alternate-exchange")
                .<Map<String, Object>>map(alternate -> Map.of("alternate-exchange", alternate))
                .orElse(Map.of());
    }

    private Map<String, Object> queueArguments() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("x-queue-type", text("queue.x-queue-type").orElse("quorum"));
        copyText(arguments, "queue.dead-letter-exchange", "x-dead-letter-exchange");
        copyText(arguments, "queue.dead-letter-routing-key", "x-dead-letter-routing-key");
        copyText(arguments, "queue.dead-letter-strategy", "x-dead-letter-strategy");
        copyText(arguments, "queue.overflow", "x-overflow");
        copyNumber(arguments, "queue.ttl", "x-message-ttl", dev.deferred.core.Delays.MAX.toMillis());
        copyNumber(arguments, "queue.x-delivery-limit", "x-delivery-limit", Integer.MAX_VALUE);
        copyNumber(arguments, "queue.x-max-length", "x-max-length", Long.MAX_VALUE);
        copyNumber(arguments, "queue.x-max-length-bytes", "x-max-length-bytes", Long.MAX_VALUE);
        copyNumber(
                arguments,
                "queue.x-stream-max-segment-size-bytes",
                "x-stream-max-segment-size-bytes",
                LARGEST_SEGMENT_BYTES);
        return Map.copyOf(arguments);
    }

    private void copyText(Map<String, Object> arguments, String attribute, String argument) {
        text(attribute).ifPresent(value -> arguments.put(argument, value));
    }

    /** As a long: RabbitMQ takes a TTL of any integer type, but refuses text, and an int is too small for 25 days. */
    private void copyNumber(Map<String, Object> arguments, String attribute, String argument, long most) {
        if (text(attribute).isPresent()) {
            arguments.put(argument, number(attribute, 0, 0, most));
        }
    }

    private Set<String> routingKeys(Function<String, Set<String>> keysNamed) {
        return text("routing-keys-name")
                .map(keysNamed)
                .orElseGet(() -> Set.copyOf(
                        Arrays.asList(text("routing-keys").orElse("#").split("\\s*,\\s*"))));
    }
}
