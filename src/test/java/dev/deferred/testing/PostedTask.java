package dev.deferred.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.deferred.testing.Produced.Answer;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A request that has left, to become a {@link Produced} with its answer.
 *
 * @param askedDue when the task is due at the earliest, by the clock of the one who asks
 */
record PostedTask(String ref, Instant sentAt, long sentNanos, Instant askedDue) {
    private static final ObjectMapper JSON = new ObjectMapper();

    Produced outcome(HttpResponse<String> response, Throwable failure) {
        if (failure != null) {
            boolean hung =
                    failure instanceof HttpTimeoutException || failure.getCause() instanceof HttpTimeoutException;
            return produced(Optional.empty(), askedDue, hung ? Answer.HUNG : Answer.UNKNOWN, failure.toString());
        }
        String detail = response.statusCode() + " " + response.body();
        try {
            JsonNode body = JSON.readTree(response.body());
            Optional<String> id = Optional.ofNullable(body.get("id")).map(JsonNode::textValue);
            if (response.statusCode() == 202 && id.isPresent()) {
                Instant answeredDue = Instant.parse(body.path("dueAt").asText());
                Instant due = answeredDue.isAfter(askedDue) ? answeredDue : askedDue;
                return produced(id, due, Answer.ACCEPTED, detail);
            }
            boolean named = id.isPresent() || body.path("reason").asText().equals("stopping");
            boolean refused = response.statusCode() == 503
                    && named
                    && response.headers().firstValue("Retry-After").isPresent();
            return produced(id, askedDue, refused ? Answer.REFUSED : Answer.UNEXPECTED, detail);
        } catch (JsonProcessingException notJson) {
            return produced(Optional.empty(), askedDue, Answer.UNEXPECTED, detail);
        }
    }

    private Produced produced(Optional<String> id, Instant due, Answer answer, String detail) {
        return new Produced(ref, id, sentAt, due, answer, Duration.ofNanos(System.nanoTime() - sentNanos), detail);
    }
}
