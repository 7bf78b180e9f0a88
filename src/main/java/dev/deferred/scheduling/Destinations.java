package dev.deferred.scheduling;

import dev.deferred.amqp.MessageLimits;
import dev.deferred.core.Destination;
import dev.deferred.core.Excerpt;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Knows which destinations callers may choose. */
@ApplicationScoped
public class Destinations {
    /** What stands for the default exchange where a name is needed, as in RabbitMQ's own tools. */
    public static final String DEFAULT_EXCHANGE = "amq.default";

    private final Names names;
    private final List<String> allowed;
    private final List<Pattern> patterns;

    @Inject
    Destinations(SchedulingConfig config) {
        this.names = new Names(config.prefix());
        this.allowed = config.destinations().orElse(List.of()).stream()
                .map(String::strip)
                .toList();
        this.patterns = allowed.stream().map(Destinations::pattern).toList();
    }

    private static Pattern pattern(String allowed) {
        return Pattern.compile(
                Arrays.stream(allowed.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                Pattern.DOTALL);
    }

    /**
     * The destination of a task that was here before: what callers may choose, or the exchanges by which a failed task comes
     * back to its handler.
     *
     * @throws IllegalArgumentException when it is not allowed; the message says what is
     */
    Destination requireOfTask(Destination found) {
        boolean comesBack = found.exchange()
                .filter(exchange -> exchange.equals(names.retry()) || exchange.equals(names.suspects()))
                .isPresent();
        return comesBack ? found : require(found);
    }

    /**
     * The destination in its one form: the exchange of all tasks is not named, the default exchange has the empty name.
     *
     * @throws IllegalArgumentException when it is not allowed; the message says what is
     */
    public Destination require(Destination asked) {
        requireShort("routing key", asked.routingKey());
        if (asked.exchange().isEmpty() || asked.exchange().get().equals(names.tasks())) {
            return Destination.tasks(asked.routingKey());
        }
        String exchange = asked.exchange().get().equals(DEFAULT_EXCHANGE)
                ? ""
                : asked.exchange().get();
        requireShort("name of the exchange", exchange);
        if (isOurs(exchange)
                || !isAllowed(exchange.isEmpty() ? DEFAULT_EXCHANGE : exchange)
                || (exchange.isEmpty() && isOurs(asked.routingKey()))) {
            throw new IllegalArgumentException("the exchange " + Excerpt.quoted(exchange) + " with routing key "
                    + Excerpt.quoted(asked.routingKey()) + " is no allowed destination; allowed are the exchange "
                    + names.tasks() + " and those in deferred.destinations, " + allowed
                    + ", but for the queues by which tasks wait");
        }
        return Destination.of(exchange, asked.routingKey());
    }

    private static void requireShort(String what, String value) {
        MessageLimits.shortText("the " + what, value).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
    }

    /** Everything of ours but the normal exchange and queue: a task sent there would come back for ever. */
    private boolean isOurs(String name) {
        return name.startsWith(names.prefix() + ".") && !name.equals(names.tasks());
    }

    private boolean isAllowed(String exchange) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(exchange).matches());
    }
}
