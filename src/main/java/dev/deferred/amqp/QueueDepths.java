package dev.deferred.amqp;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Asks the broker how many messages wait, without consuming any. */
final class QueueDepths {
    private final BrokerConnection connection;

    QueueDepths(BrokerConnection connection) {
        this.connection = connection;
    }

    Uni<Map<String, Long>> ready(List<String> queues) {
        return Uni.createFrom()
                .emitter(emitter -> connection.execute(on -> {
                    if (on == null) {
                        emitter.fail(away());
                        return;
                    }
                    try {
                        emitter.complete(count(on, queues));
                    } catch (IOException | TimeoutException | AlreadyClosedException e) {
                        emitter.fail(away());
                    }
                }));
    }

    private PublishFailure away() {
        return new PublishFailure(
                PublishFailure.Reason.BROKER_AWAY,
                connection.problem().map(BrokerProblem::text).orElse("the connection to the broker was just lost"));
    }

    private static Map<String, Long> count(Connection on, List<String> queues) throws IOException, TimeoutException {
        Map<String, Long> ready = new LinkedHashMap<>();
        Channel channel = on.createChannel();
        for (String queue : queues) {
            try {
                ready.put(queue, (long) channel.queueDeclarePassive(queue).getMessageCount());
            } catch (IOException e) {
                if (!(e.getCause() instanceof ShutdownSignalException cause) || cause.isHardError()) {
                    throw e;
                }
                // no such queue: the broker closed the channel over it
                channel = on.createChannel();
            }
        }
        channel.close();
        return ready;
    }
}
