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
 * Collects the body of a request without blocking: never more than its limit, never for longer than its time. What comes after a
 * refusal is dropped and the connection closed.
 */
final class WholeBody {
    private static final Duration TIME = Duration.ofSeconds(30);

    private final HttpServerRequest request;
    private final Vertx vertx;
    private final LargeBodies limit;
    private final Buffer received = Buffer.buffer();
    private UniEmitter<? super byte[]> emitter;
    private long timer;
    private boolean ended;

    private WholeBody(HttpServerRequest request, Vertx vertx, LargeBodies limit) {
        this.request = request;
        this.vertx = vertx;
        this.limit = limit;
    }

    /**
     * Reads the whole body; to be subscribed to on the request's event loop, before anything else reads it.
     *
     * @return fails with {@link RequestRefused} when the body is larger than the limit, takes longer than 30 s, or is cut off
     */
    static Uni<byte[]> read(HttpServerRequest request, Vertx vertx, LargeBodies limit) {
        return Uni.createFrom().emitter(emitter -> new WholeBody(request, vertx, limit).readInto(emitter));
    }

    private void readInto(UniEmitter<? super byte[]> target) {
        emitter = target;
        timer = vertx.setTimer(TIME.toMillis(), id -> refuse(tooSlow()));
        if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        request.exceptionHandler(failure -> refuse(RequestRefused.malformed("the body was cut off")));
        request.handler(this::take);
        request.endHandler(end -> complete());
        request.resume();
    }

    private void take(Buffer part) {
        if (ended) {
            return;
        }
        if (received.length() + part.length() > limit.maxBytes()) {
            refuse(limit.refusal());
        } else {
            received.appendBuffer(part);
        }
    }

    private void complete() {
        if (end()) {
            emitter.complete(received.getBytes());
        }
    }

    private void refuse(RequestRefused refusal) {
        if (end()) {
            Lingering.close(request, vertx);
            emitter.fail(refusal);
        }
    }

    private static RequestRefused tooSlow() {
        return new RequestRefused(Fault.TOO_SLOW, "the body did not arrive within " + TIME.toSeconds() + " s");
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
