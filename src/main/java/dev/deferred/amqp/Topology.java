package dev.deferred.amqp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What must exist on the broker, as values in the order they are declared: first every exchange, so that nothing dead-letters
 * into the void; then the queues that hold messages without a time limit, with their bindings; last the queues that send
 * messages on by themselves.
 */
public record Topology(List<Exchange> exchanges, List<Queue> queues, List<Binding> bindings) {
    /** A durable exchange; one that is not {@code declared} by us must be there. */
    public record Exchange(String name, String type, Map<String, Object> arguments, boolean declared) {}

    /** A durable queue; one that is not {@code declared} by us must be there, with its bindings. */
    public record Queue(String name, Map<String, Object> arguments, boolean declared) {
        boolean expiresItsMessages() {
            return arguments.containsKey("x-message-ttl");
        }
    }

    /** A route from an exchange to a queue. */
    public record Binding(String exchange, String queue, String routingKey) {}

    /** Nothing. */
    public static final Topology EMPTY = new Topology(List.of(), List.of(), List.of());

    public Topology {
        exchanges = List.copyOf(exchanges);
        queues = List.copyOf(queues);
        bindings = List.copyOf(bindings);
    }

    /**
     * Both together, each object once.
     *
     * @throws IllegalArgumentException when they describe one object differently
     */
    public Topology and(Topology other) {
        Map<String, Exchange> exchangeByName = new LinkedHashMap<>();
        Map<String, Queue> queueByName = new LinkedHashMap<>();
        List<Binding> allBindings = new ArrayList<>(bindings);
        exchanges.forEach(exchange -> exchangeByName.put(exchange.name(), exchange));
        queues.forEach(queue -> queueByName.put(queue.name(), queue));
        other.exchanges.forEach(exchange -> putSame(exchangeByName, exchange.name(), exchange));
        other.queues.forEach(queue -> putSame(queueByName, queue.name(), queue));
        other.bindings.stream()
                .filter(binding -> !allBindings.contains(binding))
                .forEach(allBindings::add);
        return new Topology(List.copyOf(exchangeByName.values()), List.copyOf(queueByName.values()), allBindings);
    }

    private static <T> void putSame(Map<String, T> byName, String name, T described) {
        T before = byName.putIfAbsent(name, described);
        if (before != null && !before.equals(described)) {
            throw new IllegalArgumentException("two channels describe \"" + name + "\" differently: one as " + before
                    + ", the other as " + described + ". Give both channels the same attributes.");
        }
    }

    /** The queues in the order they are declared. */
    List<Queue> queuesInOrder() {
        List<Queue> ordered = new ArrayList<>(queues);
        ordered.sort((a, b) -> Boolean.compare(a.expiresItsMessages(), b.expiresItsMessages()));
        return ordered;
    }

    List<Binding> bindingsOf(Queue queue) {
        return bindings.stream()
                .filter(binding -> binding.queue().equals(queue.name()))
                .toList();
    }
}
