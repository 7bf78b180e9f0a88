package dev.deferred.http;

import dev.deferred.http.RequestRefused.Fault;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/**
 * Collects the body of a request without blocking: never more than its limit, never for longer than its time. What comes later
 * is dropped and the connection closed.
 */
final class RequestBody {
    /** How long the rest of a refused body is read and dropped, so that the sender gets to see the answer. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final HttpServerRequest request;
    private final Vertx vertx;
    private final long maxBytes;
    private final Duration time;
    private final Buffer received = Buffer.buffer();
    private UniEmitter<? super byte[]> emitter;
    private long timer;
    private boolean ended;

    private RequestBody(HttpServerRequest request, Vertx vertx, long maxBytes, Duration time) {
        this.request = request;
        this.vertx = vertx;
        this.maxBytes = maxBytes;
        this.time = time;
    }

    /**
     * Reads the whole body; to be called on the request's event loop, before anything else reads it.
     *
     * @return fails with {@link RequestRefused} when the body is larger or slower than allowed, or cut off
     */
    static Uni<byte[]> read(HttpServerRequest request, Vertx vertx, long maxBytes, Duration time) {
        return Uni.createFrom().emitter(emitter -> new RequestBody(request, vertx, maxBytes, time).readInto(emitter));
    }

    private void readInto(UniEmitter<? super byte[]> target) {
        emitter = target;
        timer = vertx.setTimer(
                time.toMillis(),
                id -> refuse(Fault.TOO_SLOW, "the body did not arrive within " + time.toSeconds() + " s"));
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && (length.length() > 18 || Long.parseLong(length) > maxBytes)) {
            tooLarge();
            return;
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        request.exceptionHandler(failure -> refuse(Fault.MALFORMED, "the body was cut off"));
        request.handler(this::take);
        request.endHandler(end -> complete());
        request.resume();
    }

    private void take(Buffer part) {
        if (ended) {
            return;
        }
        if (received.length() + part.length() > maxBytes) {
            tooLarge();
        } else {
            received.appendBuffer(part);
        }
    }

    private void complete() {
        if (end()) {
            emitter.complete(received.getBytes());
        }
    }

    private void tooLarge() {
        refuse(
                Fault.TOO_LARGE,
                "the body has more than " + maxBytes
                        + " bytes, which is deferred.max-payload and what a task needs beside it; store large content"
                        + " elsewhere and send a reference");
    }

    private void refuse(Fault fault, String text) {
        if (end()) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            vertx.setTimer(LINGER.toMillis(), id -> request.connection().close());
            emitter.fail(new RequestRefused(fault, text));
        }
    }

    private boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        vertx.cancelTimer(timer);
        return true;
    }
}
