package dev.deferred.amqp;

import com.rabbitmq.client.Address;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
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

    static BrokerSettings from(Config config) {
        int port = config.getOptionalValue("rabbitmq-port", Integer.class).orElse(5672);
        String host = config.getOptionalValue("rabbitmq-host", String.class).orElse("localhost");
        String addresses =
                config.getOptionalValue("rabbitmq-addresses", String.class).orElse(host + ":" + port);
        return new BrokerSettings(
                List.of(Address.parseAddresses(addresses)),
                config.getOptionalValue("rabbitmq-username", String.class).orElse("guest"),
                config.getOptionalValue("rabbitmq-password", String.class).orElse("guest"),
                config.getOptionalValue("rabbitmq-virtual-host", String.class).orElse("/"),
                config.getOptionalValue("rabbitmq-ssl", Boolean.class).orElse(false),
                HEARTBEAT,
                CONNECT_TIMEOUT);
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
