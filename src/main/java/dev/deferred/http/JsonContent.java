package dev.deferred.http;

import dev.deferred.http.RequestRefused.Fault;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.MediaType;

/**
 * Requires that a body is said to be plain JSON. A body without a type is refused too: a page in a browser could send one to
 * this service without being asked whether it may.
 */
final class JsonContent {
    private JsonContent() {}

    /** Refuses a request whose headers say that its body is anything but JSON in UTF-8, uncompressed. */
    static void require(HttpServerRequest request) {
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new RequestRefused(
                    Fault.UNSUPPORTED, "a compressed body can't be read; send it without Content-Encoding");
        }
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (type == null || !isJson(type)) {
            throw new RequestRefused(
                    Fault.UNSUPPORTED, "the body must be JSON in UTF-8; send it with Content-Type: application/json");
        }
    }

    private static boolean isJson(String type) {
        if (type.equals(MediaType.APPLICATION_JSON)) {
            return true;
        }
        MediaType parsed;
        try {
            parsed = MediaType.valueOf(type);
        } catch (IllegalArgumentException e) {
            return false;
        }
        String charset = parsed.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8");
        return parsed.getType().equalsIgnoreCase("application")
                && parsed.getSubtype().equalsIgnoreCase("json")
                && charset.equalsIgnoreCase("utf-8");
    }
}
