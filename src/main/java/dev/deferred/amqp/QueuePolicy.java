package dev.deferred.amqp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A queue with the policy that is in effect on it, its operator policy included.
 *
 * @param queue the queue's name
 * @param from the names of the policies, for a sentence
 * @param arguments what the queue was declared with; of a number the smaller of both counts, of a text the argument
 * @param definition what the policies say; nothing when there is none, or for seconds after the queue was declared
 */
record QueuePolicy(String queue, String from, JsonNode arguments, JsonNode definition) {
    /** What each key does to tasks that wait. */
    private static final Map<String, String> HARM = Map.of(
            "expires", "the queue is deleted with all its tasks when nobody uses it for that long",
            "message-ttl",
                    "tasks leave before their time, and from a queue without a dead-letter exchange they are gone",
            "max-length", "what is beyond it is refused or dropped",
            "max-length-bytes", "what is beyond it is refused or dropped",
            "overflow", "what is beyond a limit is dropped or diverted",
            "delivery-limit", "tasks that come back that often, as after lost connections, are parked or dropped",
            "dead-letter-exchange", "tasks are sent elsewhere",
            "dead-letter-routing-key", "tasks come out under another routing key, at another destination");

    private static final List<String> KEYS = HARM.keySet().stream().sorted().toList();

    static QueuePolicy of(JsonNode queue) {
        List<String> from = new ArrayList<>();
        addName(from, "policy", queue.path("policy"));
        addName(from, "operator policy", queue.path("operator_policy"));
        return new QueuePolicy(
                queue.path("name").asText(),
                String.join(" and ", from),
                queue.path("arguments"),
                queue.path("effective_policy_definition"));
    }

    private static void addName(List<String> names, String kind, JsonNode name) {
        if (name.isTextual() && !name.asText().isEmpty()) {
            names.add(kind + " \"" + name.asText() + '"');
        }
    }

    /** What the policy adds to the queue that loses or diverts tasks, each with what it does; empty when nothing. */
    List<String> harms() {
        return KEYS.stream()
                .filter(this::harms)
                .map(key -> from + ": " + key + "=" + definition.get(key).asText() + " (" + HARM.get(key) + ")")
                .toList();
    }

    private boolean harms(String key) {
        if (!definition.has(key)) {
            return false;
        }
        JsonNode value = definition.get(key);
        JsonNode argument = arguments.path("x-" + key);
        return switch (key) {
            case "overflow" -> argument.isMissingNode() && !value.asText().equals("reject-publish");
            case "dead-letter-exchange", "dead-letter-routing-key" -> argument.isMissingNode();
            // where we set no limit nothing is delivered from the queue, or the queue's type knows no limit
            case "delivery-limit" -> argument.asLong(0) > value.asLong();
            default -> argument.isMissingNode() || argument.asLong() > value.asLong();
        };
    }
}
