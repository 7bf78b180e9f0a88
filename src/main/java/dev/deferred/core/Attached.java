package dev.deferred.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an application attached to a task and gets back with it, untouched.
 *
 * @param headers its own headers, with values as AMQP carries them
 * @param priority 0 to 255
 * @param correlationId at most 255 bytes, as the further ones
 * @param replyTo the address for an answer
 * @param contentEncoding such as {@code gzip}
 * @param appId the name of the application
 */
public record Attached(
        Map<String, Object> headers,
        Optional<Integer> priority,
        Optional<String> correlationId,
        Optional<String> replyTo,
        Optional<String> contentEncoding,
        Optional<String> appId) {
    /** Nothing. */
    public static final Attached NOTHING = new Attached(
            Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public Attached {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers)); // AMQP has headers without a value
    }
}
