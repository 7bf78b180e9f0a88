package dev.deferred.bench;

import dev.deferred.core.Ladder;
import dev.deferred.scheduling.Names;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one service has on the broker. */
record Installation(Names names, Ladder ladder) {
    /** What the service needs to be told, besides where the broker is. */
    Map<String, String> settings(Map<String, String> broker) {
        Map<String, String> all = new HashMap<>(broker);
        all.put("deferred.prefix", names.prefix());
        all.put(
                "deferred.tiers",
                ladder.tiers().stream().map(tier -> tier.millis() + "ms").collect(Collectors.joining(",")));
        return all;
    }

    /** All its exchanges and queues. */
    Stream<String> objects() {
        return Stream.concat(
                List.of(
                        names.in(),
                        names.due(),
                        names.tasks(),
                        names.retry(),
                        names.suspects(),
                        names.parked(),
                        names.parkedLog())
                        .stream(),
                ladder.tiers().stream().map(names::delay));
    }
}
