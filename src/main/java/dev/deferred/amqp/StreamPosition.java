package dev.deferred.amqp;

import java.util.Map;
import org.eclipse.microprofile.reactive.messaging.Message;

/** How far a stream has been read, so that a subscription made anew goes on from there. */
final class StreamPosition {
    private static final String OFFSET = "x-stream-offset";
    private static final long NOWHERE = -1;

    private final String begin;
    private volatile long last = NOWHERE;

    /** Before anything was read: {@code first}, {@code last} or {@code next} is where to begin. */
    StreamPosition(String begin) {
        this.begin = begin;
    }

    /** The consumer's argument that says where to go on. */
    Map<String, Object> argument() {
        long seen = last;
        return Map.of(OFFSET, seen == NOWHERE ? begin : (Object) (seen + 1));
    }

    void saw(Message<?> message) {
        last = of(message);
    }

    /** The stream was deleted: another of its name counts anew. */
    void startOver() {
        last = NOWHERE;
    }

    /** The number of a message in its stream, from 0; set by the broker. */
    static long of(Message<?> message) {
        return Headers.of(message).number(OFFSET, 0, Long.MAX_VALUE).orElse(0L);
    }
}
