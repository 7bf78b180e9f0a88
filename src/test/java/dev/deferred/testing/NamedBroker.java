package dev.deferred.testing;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The broker that whoever runs the tests has named, by the variables {@code RABBITMQ_HOST}, {@code RABBITMQ_PORT},
 * {@code RABBITMQ_USERNAME} and {@code RABBITMQ_PASSWORD} or by the system properties {@code rabbitmq-host} and so on.
 */
public final class NamedBroker {
    private NamedBroker() {}

    /** Its settings under their property names, with the usual defaults; empty if no host is named. */
    public static Optional<Map<String, String>> find() {
        return setting("rabbitmq-host")
                .map(host -> Map.of(
                        "rabbitmq-host", host,
                        "rabbitmq-port", setting("rabbitmq-port").orElse("5672"),
                        "rabbitmq-username", setting("rabbitmq-username").orElse("guest"),
                        "rabbitmq-password", setting("rabbitmq-password").orElse("guest")));
    }

    private static Optional<String> setting(String property) {
        String variable = property.replace('-', '_').toUpperCase(Locale.ROOT);
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .filter(value -> !value.isBlank());
    }
}
