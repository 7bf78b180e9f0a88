package dev.deferred.amqp;

import com.rabbitmq.client.impl.Frame;
import java.io.UnsupportedEncodingException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The headers that belong to an application and go with its task to the destination. What a broker wrote, what steers a broker
 * and what is ours never travels on: a list of deaths that is published again is taken for a cycle by RabbitMQ 3.10 and
 * loses the message, and {@code CC} delivers copies to any queue.
 */
final class ApplicationHeaders {
    /** The most that an application's headers may take together, in bytes as AMQP encodes them. */
    static final int MOST_BYTES = 32_768;

    /** How deep tables and lists may be nested in them. */
    private static final int MOST_LEVELS = 50;

    /** What every header of this service begins with. */
    static final String OURS = "deferred-";

    private static final Set<String> STEERING = Set.of(
            "CC",
            "BCC",
            "x-delay",
            "x-delivery-count",
            "x-acquired-count",
            "x-received-from",
            "x-stream-offset",
            "x-stream-filter-value");
    private static final Set<String> STEERING_STARTS =
            Set.of("x-death", "x-first-death", "x-last-death", "x-opt-", OURS);

    private ApplicationHeaders() {}

    /**
     * The headers that are the application's.
     *
     * @param alsoSteering further names that are not, such as a header by which the delay is chosen
     */
    static Map<String, Object> in(Map<String, Object> found, Set<String> alsoSteering) {
        Map<String, Object> kept = new LinkedHashMap<>();
        found.forEach((name, value) -> {
            if (!isSteering(name) && !alsoSteering.contains(name)) {
                kept.put(name, value);
            }
        });
        return kept;
    }

    private static boolean isSteering(String name) {
        return STEERING.contains(name) || STEERING_STARTS.stream().anyMatch(name::startsWith);
    }

    /**
     * What is wrong with an application's headers; empty when nothing is. The shape is looked at first: what is too deep can't
     * even be measured.
     */
    static Optional<String> fault(Map<String, Object> headers) {
        Optional<String> fault = faultOfShape(headers);
        if (fault.isPresent()) {
            return fault;
        }
        long bytes = bytes(headers);
        return bytes <= MOST_BYTES
                ? Optional.empty()
                : Optional.of("the application's headers have " + bytes + " bytes; the limit is " + MOST_BYTES
                        + " for all together: put large content into the body");
    }

    private static Optional<String> faultOfShape(Map<String, Object> headers) {
        Deque<Object> level = new ArrayDeque<>(List.of(headers));
        for (int depth = 0; !level.isEmpty(); depth++) {
            if (depth > MOST_LEVELS) {
                return Optional.of("the application's headers are nested deeper than " + MOST_LEVELS
                        + " levels: put such content into the body");
            }
            Deque<Object> next = new ArrayDeque<>();
            for (Object value : level) {
                if (value instanceof Map<?, ?> table) {
                    Optional<String> fault = MessageLimits.names(table);
                    if (fault.isPresent()) {
                        return fault;
                    }
                    table.values().stream().filter(Objects::nonNull).forEach(next::add);
                } else if (value instanceof List<?> list) {
                    list.stream().filter(Objects::nonNull).forEach(next::add);
                }
            }
            level = next;
        }
        return Optional.empty();
    }

    /** How many bytes they take as AMQP encodes them. */
    private static long bytes(Map<String, Object> headers) {
        try {
            return Frame.tableSize(headers);
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException("every Java platform has UTF-8", e);
        }
    }

    /** Of headers that may be faulty, those that are not, and as many as fit, from the first on. */
    static Map<String, Object> fitting(Map<String, Object> headers) {
        Map<String, Object> fitting = new LinkedHashMap<>();
        long bytes = 0;
        for (Map.Entry<String, Object> header : headers.entrySet()) {
            Map<String, Object> alone = new LinkedHashMap<>();
            alone.put(header.getKey(), header.getValue());
            if (faultOfShape(alone).isPresent()) {
                continue;
            }
            long more = bytes(alone);
            if (bytes + more <= MOST_BYTES) {
                bytes += more;
                fitting.putAll(alone);
            }
        }
        return fitting;
    }
}
