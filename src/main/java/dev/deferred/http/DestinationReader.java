package dev.deferred.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.deferred.core.Destination;
import dev.deferred.scheduling.InvalidTask;
import java.io.IOException;
import java.util.Optional;

/** Reads the field {@code destination} of a task: an object of {@code exchange} and {@code routingKey}, either of which may miss. */
final class DestinationReader {
    private static final String FIELD = "destination";

    private String exchange;
    private String routingKey;

    private DestinationReader() {}

    /** @throws InvalidTask when it is no such object */
    static DestinationReader read(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new InvalidTask(
                    FIELD,
                    "destination must be an object, such as {\"exchange\":\"orders\",\"routingKey\":\"order.closed\"}");
        }
        DestinationReader reader = new DestinationReader();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            reader.field(json);
        }
        return reader;
    }

    private void field(JsonParser json) throws IOException {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
            case "exchange" -> exchange = text(json, "destination.exchange", exchange);
            case "routingKey" -> routingKey = text(json, "destination.routingKey", routingKey);
            default -> {
                String shown = Problems.shown(name);
                throw new InvalidTask(
                        FIELD, "\"" + shown + "\" is no field of a destination; it has exchange and routingKey");
            }
        }
    }

    private static String text(JsonParser json, String field, String before) throws IOException {
        TaskRequestReader.requireFirst(field, before);
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new InvalidTask(field, field + " must be a string; leave it out where the usual one is meant");
        }
        return json.getText();
    }

    /** The destination, with the type as routing key where none was given. */
    Destination withDefault(String type) {
        return new Destination(Optional.ofNullable(exchange), routingKey == null ? type : routingKey);
    }
}
