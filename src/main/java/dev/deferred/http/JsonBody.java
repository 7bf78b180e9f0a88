package dev.deferred.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.stream.Collectors;

/** The one way by which the body of a request is read: without blocking, within its limits, and as strict JSON. */
@ApplicationScoped
public class JsonBody {
    private final Vertx vertx;
    private final LargeBodies limit;
    private final ObjectMapper mapper;

    @Inject
    JsonBody(Vertx vertx, LargeBodies limit, ObjectMapper mapper) {
        this.vertx = vertx;
        this.limit = limit;
        this.mapper = mapper;
    }

    /** The body's bytes, as they came. */
    Uni<byte[]> bytes(HttpServerRequest request) {
        JsonContent.require(request);
        return WholeBody.read(request, vertx, limit);
    }

    /**
     * The body as an object. Unknown fields, repeated fields and anything after the object are refused.
     *
     * @param type a class that Jackson can read, registered for reflection
     * @return fails with what becomes a problem that says what is wrong
     */
    public <T> Uni<T> as(Class<T> type, HttpServerRequest request) {
        return bytes(request).map(body -> read(body, type));
    }

    private <T> T read(byte[] body, Class<T> type) {
        if (body.length == 0 || Utf8.firstFault(body) >= 0) {
            throw RequestRefused.malformed("the body must be one JSON object in UTF-8, {…}");
        }
        T value;
        try {
            value = mapper.readerFor(type)
                    .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .readValue(body);
        } catch (JsonMappingException e) {
            throw RequestRefused.malformed("the body has an unknown field, or a wrong kind of value" + in(e)
                    + "; /q/openapi describes what it may have");
        } catch (JsonProcessingException e) {
            throw RequestRefused.malformed("the body is not valid JSON, or has a field twice");
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory can always be read", e);
        }
        if (value == null) {
            throw RequestRefused.malformed("the body must be one JSON object, {…}; found null");
        }
        return value;
    }

    private static String in(JsonMappingException e) {
        String path = e.getPath().stream()
                .map(JsonMappingException.Reference::getFieldName)
                .filter(java.util.Objects::nonNull)
                .collect(Collectors.joining("."));
        return path.isEmpty() ? "" : ": " + Problems.shown(path);
    }
}
