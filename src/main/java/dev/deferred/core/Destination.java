package dev.deferred.core;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a task goes when it is due.
 *
 * @param exchange an exchange by name, the empty text for the broker's default exchange; empty for the exchange of all tasks
 * @param routingKey 0 to 255 bytes of UTF-8
 */
public record Destination(Optional<String> exchange, String routingKey) {
    public Destination {
        Objects.requireNonNull(exchange);
        Objects.requireNonNull(routingKey);
    }

    /** The exchange of all tasks, with that routing key. */
    public static Destination tasks(String routingKey) {
        return new Destination(Optional.empty(), routingKey);
    }

    /** An exchange by name, or the default exchange by the empty text, with that routing key. */
    public static Destination of(String exchange, String routingKey) {
        return new Destination(Optional.of(exchange), routingKey);
    }

    /** Another exchange, with the same routing key. */
    public Destination through(String otherExchange) {
        return of(otherExchange, routingKey);
    }
}
