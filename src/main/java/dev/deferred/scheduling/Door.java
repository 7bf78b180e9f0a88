package dev.deferred.scheduling;

import dev.deferred.amqp.Decoded;
import dev.deferred.amqp.Headers;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Delays;
import dev.deferred.core.Task;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * Reads what comes to the gate: tasks of this service, and messages of any AMQP client, who chooses by a header when they are
 * due and where they go.
 */
@ApplicationScoped
class Door {
    private final Set<String> delayHeaders;
    private final long maxDelayMillis;
    private final Destinations destinations;

    @Inject
    Door(SchedulingConfig config, Destinations destinations) {
        this.delayHeaders = config.delayHeaders().stream().map(String::strip).collect(Collectors.toUnmodifiableSet());
        this.maxDelayMillis = config.maxDelay().toMillis();
        this.destinations = destinations;
    }

    /**
     * Reads a message.
     *
     * @param nowMillis epoch milliseconds: a delay counts from now
     * @return odd when it asks for what is not allowed
     */
    Decoded read(Message<byte[]> message, long nowMillis) {
        Decoded decoded = Wire.read(message, nowMillis, delayHeaders);
        if (!(decoded instanceof Decoded.Sound sound)) {
            return decoded;
        }
        try {
            Headers headers = Headers.of(message);
            return new Decoded.Sound(
                    isForeign(headers)
                            ? foreign(sound.task(), headers, nowMillis)
                            : ours(sound.task(), headers, nowMillis));
        } catch (IllegalArgumentException e) {
            return new Decoded.Odd(e.getMessage());
        }
    }

    /** A client's message does not say when it was accepted: that is now. What was parked has lost its delay. */
    private static boolean isForeign(Headers headers) {
        return !headers.has(Wire.SCHEDULED_AT) && !ParkedMessage.isOne(headers);
    }

    private Task foreign(Task task, Headers headers, long nowMillis) {
        if (task.leftMillis(nowMillis) > maxDelayMillis) {
            throw new IllegalArgumentException("header " + Wire.DUE_AT + " is further away than "
                    + Delays.format(Duration.ofMillis(maxDelayMillis)) + ", the limit deferred.max-delay");
        }
        List<String> chosen = Stream.concat(Stream.of(Wire.DUE_AT), delayHeaders.stream())
                .filter(headers::has)
                .toList();
        return delayed(task.to(destinations.require(task.destination())), chosen, headers, nowMillis);
    }

    /** A task that was here before has no header for a delay, unless somebody got it and sends it here again to wait once more. */
    private Task ours(Task task, Headers headers, long nowMillis) {
        List<String> chosen = ParkedMessage.isOne(headers)
                ? List.of()
                : delayHeaders.stream().filter(headers::has).toList();
        return delayed(task.to(destinations.requireOfTask(task.destination())), chosen, headers, nowMillis);
    }

    private Task delayed(Task task, List<String> chosen, Headers headers, long nowMillis) {
        if (chosen.size() > 1) {
            throw new IllegalArgumentException("the headers " + chosen + " stand together; give one of them");
        }
        return chosen.stream()
                .filter(delayHeaders::contains)
                .findFirst()
                .flatMap(name -> headers.number(name, 0, maxDelayMillis))
                .map(millis -> task.dueAt(nowMillis + millis))
                .orElse(task);
    }
}
