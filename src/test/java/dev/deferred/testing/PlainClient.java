package dev.deferred.testing;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.config.Config;

/** A bare AMQP client on the broker that the application under test uses. */
public final class PlainClient implements AutoCloseable {
    private static final Duration AT_MOST = Duration.ofSeconds(20);

    private final Connection connection;
    private final Channel channel;

    public PlainClient(Config config) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(config.getValue("rabbitmq-host", String.class));
        factory.setPort(config.getValue("rabbitmq-port", Integer.class));
        factory.setUsername(config.getValue("rabbitmq-username", String.class));
        factory.setPassword(config.getValue("rabbitmq-password", String.class));
        connection = factory.newConnection();
        channel = connection.createChannel();
    }

    public Channel channel() {
        return channel;
    }

    /** Waits for the message with that id and takes it out of the queue; what else lies there is put back. */
    public GetResponse take(String queue, String messageId) throws IOException {
        Channel looking = connection.createChannel();
        GetResponse[] found = new GetResponse[1];
        await().atMost(AT_MOST).until(() -> {
            GetResponse next = looking.basicGet(queue, false);
            if (next != null && messageId.equals(next.getProps().getMessageId())) {
                found[0] = next;
                looking.basicAck(next.getEnvelope().getDeliveryTag(), false);
            }
            return found[0] != null;
        });
        looking.abort();
        return found[0];
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
