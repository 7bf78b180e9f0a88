package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.LongString;
import dev.deferred.core.Excerpt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Message;

/** Reads the headers of a message; strangers may have written anything into them. */
public final class Headers {
    private final Map<String, Object> all;

    private Headers(Map<String, Object> all) {
        this.all = all;
    }

    /** The headers of an incoming message. */
    public static Headers of(Message<?> message) {
        return of(Incoming.of(message).properties());
    }

    static Headers of(AMQP.BasicProperties properties) {
        return new Headers(properties.getHeaders() == null ? Map.of() : properties.getHeaders());
    }

    Map<String, Object> all() {
        return all;
    }

    /** Whether the header is there, with or without a value. */
    public boolean has(String name) {
        return all.containsKey(name);
    }

    /**
     * A header that is text; empty when it is not there.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public Optional<String> text(String name) {
        Object value = all.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (isText(value)) {
            return Optional.of(value.toString());
        }
        throw new IllegalArgumentException("header " + name + " is not text: found " + shown(value));
    }

    /** A header that is text; empty when it is not there or is something else. */
    Optional<String> textIfAny(String name) {
        return Optional.ofNullable(all.get(name)).filter(Headers::isText).map(Object::toString);
    }

    private static boolean isText(Object value) {
        return value instanceof LongString || value instanceof String;
    }

    /**
     * A header that is a whole number, of any integer type or as text; empty when it is not there.
     *
     * @throws IllegalArgumentException when it is something else, or not from least to most
     */
    public Optional<Long> number(String name, long least, long most) {
        if (!has(name)) {
            return Optional.empty();
        }
        long number = wholeNumber(name, all.get(name));
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "header " + name + " is " + number + ", but must be from " + least + " to " + most);
        }
        return Optional.of(number);
    }

    private static long wholeNumber(String name, Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (isText(value)) {
            try {
                return Long.parseLong(value.toString().strip());
            } catch (NumberFormatException e) {
                throw notWhole(name, value, e);
            }
        }
        throw notWhole(name, value, null);
    }

    private static IllegalArgumentException notWhole(String name, Object value, Exception cause) {
        return new IllegalArgumentException(
                "header " + name + " is not a whole number: found " + shown(value)
                        + ", expected milliseconds or a count, as an integer or as its digits",
                cause);
    }

    private static String shown(Object value) {
        if (value == null) {
            return "no value";
        }
        if (value instanceof byte[]) {
            return "bytes";
        }
        boolean nested = value instanceof Map || value instanceof List; // maybe deeper than a thread's stack
        return nested ? "a table or a list" : Excerpt.quoted(value.toString());
    }
}
