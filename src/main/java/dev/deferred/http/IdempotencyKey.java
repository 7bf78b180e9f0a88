package dev.deferred.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/** A caller's own name for a task, so that a repeated request has the same task id. */
final class IdempotencyKey {
    static final String HEADER = "Idempotency-Key";

    private static final int MAX_LENGTH = 255;

    private IdempotencyKey() {}

    /**
     * The key of a request.
     *
     * @throws RequestRefused unless there is at most one, of 1 to 255 printable ASCII characters
     */
    static Optional<String> of(HttpServerRequest request) {
        List<String> keys = request.headers().getAll(HEADER);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        String key = keys.get(0);
        if (keys.size() > 1 || key.isEmpty() || key.length() > MAX_LENGTH || !isPrintableAscii(key)) {
            throw RequestRefused.malformed("the header " + HEADER + " must be there once, with 1 to " + MAX_LENGTH
                    + " printable ASCII characters");
        }
        return Optional.of(key);
    }

    private static boolean isPrintableAscii(String key) {
        return key.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
