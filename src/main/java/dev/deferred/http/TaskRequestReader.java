package dev.deferred.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.deferred.core.Delays;
import dev.deferred.core.Payload;
import dev.deferred.scheduling.InvalidTask;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the body of {@code POST /tasks}: one JSON object of {@code type}, {@code delay} or {@code at}, {@code destination} and
 * {@code payload}. The
 * payload is only checked to be JSON and taken as the very bytes it has in the body.
 */
final class TaskRequestReader {
    /** How deep a payload may be nested. */
    static final int MAX_DEPTH = 1_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            // keys are the callers': nothing of them is kept
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            // the size of the body is limited already; a payload's numbers and names are never converted
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH + 1)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final byte[] body;
    private String type;
    private TaskRequest.Due due;
    private String dueField;
    private Payload payload;
    private DestinationReader destination;

    private TaskRequestReader(byte[] body) {
        this.body = body;
    }

    /**
     * Reads a request.
     *
     * @throws RequestRefused when the body is not one JSON object in UTF-8
     * @throws InvalidTask when a field is missing, unknown, repeated or wrong
     */
    static TaskRequest read(byte[] body) {
        requireUtf8(body);
        try (JsonParser json = JSON.createParser(body)) {
            return new TaskRequestReader(body).object(json);
        } catch (StreamConstraintsException e) {
            throw RequestRefused.malformed("the body is nested deeper than " + MAX_DEPTH
                    + " levels; write the payload flatter, or as a string");
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw RequestRefused.malformed("the body is not valid JSON" + where(e.getLocation()));
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory can always be read", e);
        }
    }

    private static void requireUtf8(byte[] body) {
        if (body.length == 0) {
            throw RequestRefused.malformed(
                    "the body is empty; send a task, such as {\"type\":\"order-timeout\",\"delay\":\"30m\"}");
        }
        int fault = Utf8.firstFault(body);
        if (fault >= 0) {
            throw RequestRefused.malformed("the body is not UTF-8 text: byte " + fault + " can't stand there");
        }
        if ((body[0] & 0xFF) == 0xEF) {
            throw RequestRefused.malformed(
                    "the body does not begin with '{'; a byte order mark, for one, does not belong into JSON");
        }
    }

    private static String where(com.fasterxml.jackson.core.JsonLocation at) {
        return at == null ? "" : ": see line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    private TaskRequest object(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw RequestRefused.malformed("the body must be one JSON object, {…}");
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "type" -> type(json);
                case "delay" -> delay(json);
                case "at" -> at(json);
                case "payload" -> payload(json);
                case "destination" -> {
                    requireFirst("destination", destination);
                    destination = DestinationReader.read(json);
                }
                default -> {
                    String shown = Problems.shown(name);
                    throw new InvalidTask(
                            shown,
                            "\"" + shown
                                    + "\" is no field of a task; it has type, delay or at, destination, and payload");
                }
            }
        }
        if (json.nextToken() != null) {
            throw RequestRefused.malformed("the body goes on after the JSON object; send one task per request");
        }
        return request();
    }

    private TaskRequest request() {
        if (type == null) {
            throw new InvalidTask("type", "type is missing; add it, such as \"type\":\"order-timeout\"");
        }
        if (due == null) {
            throw new InvalidTask(
                    "delay",
                    "delay or at is missing; add one, such as \"delay\":\"30m\" or \"at\":\"2026-12-01T10:00:00Z\"");
        }
        return new TaskRequest(
                type,
                due,
                Optional.ofNullable(destination).map(asked -> asked.withDefault(type)),
                payload == null ? Payload.of(new byte[0], Payload.JSON) : payload);
    }

    private void type(JsonParser json) throws IOException {
        requireFirst("type", type);
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new InvalidTask("type", "type must be a string, such as \"order-timeout\"");
        }
        type = json.getText();
    }

    private void delay(JsonParser json) throws IOException {
        requireOnlyDue("delay");
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new InvalidTask(
                    "delay",
                    "delay must be a string with a unit, such as \"250ms\", \"30s\", \"1h30m\" or \"PT30M\"; a bare number"
                            + " does not say its unit");
        }
        try {
            due = new TaskRequest.Due.After(Delays.parse(json.getText()));
        } catch (IllegalArgumentException e) {
            throw new InvalidTask("delay", "delay " + e.getMessage());
        }
    }

    private void at(JsonParser json) throws IOException {
        requireOnlyDue("at");
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new InvalidTask("at", "at must be a string, such as \"2026-12-01T10:00:00Z\"");
        }
        String text = json.getText();
        try {
            due = new TaskRequest.Due.At(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeException e) {
            throw new InvalidTask("at", "at \"" + Problems.shown(text) + "\" " + howToFix(text));
        }
    }

    private static String howToFix(String at) {
        try {
            LocalDateTime.parse(at);
            return "does not say in which time zone; add Z or an offset, such as +02:00";
        } catch (DateTimeException e) {
            return "is no instant; write date, time and offset, such as 2026-12-01T10:00:00Z or 2026-12-01T12:00:00+02:00";
        }
    }

    private void payload(JsonParser json) throws IOException {
        requireFirst("payload", payload);
        int from = (int) json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        json.finishToken();
        int to = (int) json.currentLocation().getByteOffset();
        payload = Payload.of(Arrays.copyOfRange(body, from, to), Payload.JSON);
    }

    private void requireOnlyDue(String field) {
        if (dueField != null && !dueField.equals(field)) {
            throw new InvalidTask(field, "delay and at stand together; give one of them");
        }
        requireFirst(field, dueField);
        dueField = field;
    }

    static void requireFirst(String field, Object before) {
        if (before != null) {
            throw new InvalidTask(field, field + " is there twice; give it once");
        }
    }
}
