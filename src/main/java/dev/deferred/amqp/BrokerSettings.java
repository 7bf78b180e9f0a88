package dev.deferred.amqp;

import com.rabbitmq.client.Address;
import dev.deferred.core.Excerpt;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.eclipse.microprofile.config.Config;

/**
 * Where the broker is and who we are to it: the stock {@code rabbitmq-*} settings.
 *
 * @param addresses one or more nodes, tried in turn
 * @param heartbeat how often the connection proves that it is alive; two missed beats end it
 * @param connectTimeout how long one attempt to connect, and one call on a channel, may take
 */
record BrokerSettings(
        List<Address> addresses,
        String username,
        String password,
        String virtualHost,
        boolean ssl,
        Duration heartbeat,
        Duration connectTimeout) {
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private static final int PLAIN_PORT = 5672;
    private static final int LARGEST_PORT = 65_535;
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^:\\[\\]\\s]+)(:(\\d{1,5}))?");

    /**
     * Reads the settings.
     *
     * @throws ConfigurationException naming the one that can't be used, and why
     */
    static BrokerSettings from(Config config) {
        int port = port(config, "rabbitmq-port").orElse(PLAIN_PORT);
        String host = config.getOptionalValue("rabbitmq-host", String.class).orElse("localhost");
        return new BrokerSettings(
                config.getOptionalValue("rabbitmq-addresses", String.class)
                        .map(BrokerSettings::addresses)
                        .orElseGet(() -> List.of(new Address(host, port))),
                config.getOptionalValue("rabbitmq-username", String.class).orElse("guest"),
                config.getOptionalValue("rabbitmq-password", String.class).orElse("guest"),
                config.getOptionalValue("rabbitmq-virtual-host", String.class).orElse("/"),
                flag(config, "rabbitmq-ssl", false),
                HEARTBEAT,
                CONNECT_TIMEOUT);
    }

    /**
     * A port, if it is set.
     *
     * @throws ConfigurationException when it is none
     */
    static Optional<Integer> port(Config config, String name) {
        return config.getOptionalValue(name, String.class).map(text -> {
            if (!isPort(text.strip())) {
                String hint = text.startsWith("tcp://")
                        ? " Kubernetes sets such a variable for a service of that name: set your own in the pod, or"
                                + " enableServiceLinks: false."
                        : "";
                throw new ConfigurationException(name + " must be a port, a number from 1 to " + LARGEST_PORT
                        + ". It is " + Excerpt.quoted(text) + ". Change it in the configuration." + hint);
            }
            return Integer.valueOf(text.strip());
        });
    }

    private static boolean isPort(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= LARGEST_PORT;
    }

    private static List<Address> addresses(String all) {
        return COMMA.splitAsStream(all).map(one -> address(one.strip())).toList();
    }

    private static Address address(String text) {
        Matcher parts = ADDRESS.matcher(text);
        if (!parts.matches() || (parts.group(3) != null && !isPort(parts.group(3)))) {
            throw new ConfigurationException("rabbitmq-addresses must be host:port,host:port, with an IPv6 address in"
                    + " brackets. One is " + Excerpt.quoted(text) + ". Change it in the configuration.");
        }
        return Address.parseAddress(text);
    }

    private static boolean flag(Config config, String name, boolean byDefault) {
        Optional<String> text = config.getOptionalValue(name, String.class);
        try {
            return text.map(new TrueOrFalse()::convert).orElse(byDefault);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(name + " must be true or false. It is " + Excerpt.quoted(text.orElse(""))
                    + ". Change it in the configuration.");
        }
    }

    /** A client's factory with these settings and without its automatic recovery: ours knows every unsettled message. */
    GatheringFactory factory() {
        GatheringFactory factory = new GatheringFactory();
        factory.setUsername(username);
        factory.setPassword(password);
        factory.setVirtualHost(virtualHost);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setThreadFactory(BrokerThreads.READING);
        factory.setRequestedHeartbeat((int) heartbeat.toSeconds());
        factory.setConnectionTimeout((int) connectTimeout.toMillis());
        factory.setHandshakeTimeout((int) connectTimeout.toMillis());
        factory.setChannelRpcTimeout((int) connectTimeout.toMillis() * 2);
        factory.setShutdownTimeout((int) connectTimeout.toMillis());
        if (ssl) {
            try {
                factory.useSslProtocol(SSLContext.getDefault());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("rabbitmq-ssl is on, but this JVM has no TLS: " + e.getMessage(), e);
            }
            factory.enableHostnameVerification();
        }
        return factory;
    }

    String where() {
        return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return username + " at " + where() + ", virtual host \"" + virtualHost + "\"";
    }
}
