package dev.deferred.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;

/** Ends a connection, or an HTTP/2 stream, whose request is answered before its body has come. */
final class Lingering {
    /** How long the rest of the body is read and dropped: a connection closed at once would hide the answer. */
    private static final Duration TIME = Duration.ofSeconds(2);

    private Lingering() {}

    /** Asks the sender to close, and closes a little later; to be called before the answer is written. */
    static void close(HttpServerRequest request, Vertx vertx) {
        if (request.version() == HttpVersion.HTTP_2) {
            vertx.setTimer(TIME.toMillis(), id -> request.response().reset());
            return;
        }
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        vertx.setTimer(TIME.toMillis(), id -> request.connection().close());
    }
}
