package dev.deferred.amqp;

import com.rabbitmq.client.ShutdownSignalException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Exchanges for which the broker closed a channel a moment ago: missing, internal or forbidden. Each further message to one would
 * close the channel again, and hold up all that goes elsewhere; so they are remembered for five seconds.
 */
final class BarredExchanges {
    static final Duration REMEMBERED = Duration.ofSeconds(5);

    private static final String NAMED = "exchange '";
    private static final String CUT = "...";

    private record Barred(String why, long sinceNanos) {}

    private final Map<String, Barred> byName = new ConcurrentHashMap<>();
    private final LongSupplier nanos;

    BarredExchanges(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Which of the exchanges the broker named when it closed a channel; empty when it closed it for something else. */
    static Optional<String> named(ShutdownSignalException cause, Collection<String> exchanges) {
        String said = BrokerProblem.verbatim(cause);
        int at = said.indexOf(NAMED);
        if (at < 0) {
            return Optional.empty();
        }
        String name = said.substring(at + NAMED.length());
        return exchanges.stream()
                .filter(exchange -> name.startsWith(exchange + "'") || isStartOf(exchange, name))
                .findFirst();
    }

    /** A reply has at most 255 bytes: of a long name the broker says the beginning only. */
    private static boolean isStartOf(String exchange, String said) {
        return said.endsWith(CUT) && exchange.startsWith(said.substring(0, said.length() - CUT.length()));
    }

    void add(String exchange, String why) {
        long now = nanos.getAsLong();
        byName.values().removeIf(barred -> isOver(barred, now));
        byName.put(exchange, new Barred(why, now));
    }

    void remove(String exchange) {
        byName.remove(exchange);
    }

    /** Why nothing can be sent to the exchange; empty when nothing speaks against trying. */
    Optional<String> why(String exchange) {
        return Optional.ofNullable(byName.get(exchange))
                .filter(barred -> !isOver(barred, nanos.getAsLong()))
                .map(Barred::why);
    }

    private static boolean isOver(Barred barred, long now) {
        return now - barred.sinceNanos >= REMEMBERED.toNanos();
    }
}
