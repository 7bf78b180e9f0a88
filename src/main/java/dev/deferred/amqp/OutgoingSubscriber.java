package dev.deferred.amqp;

import java.util.concurrent.Flow;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/** Hands the messages of a SmallRye channel to an {@link OutgoingChannel}, and its endings back to them. */
final class OutgoingSubscriber implements Flow.Subscriber<Message<?>> {
    private static final Logger LOG = Logger.getLogger(OutgoingSubscriber.class);

    private final OutgoingChannel channel;

    OutgoingSubscriber(OutgoingChannel channel) {
        this.channel = channel;
    }

    /** Asks for everything: the channel's own limit answers at once, where a buffer would hide the load. */
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Message<?> message) {
        if (!(message.getPayload() instanceof byte[] body)) {
            message.nack(new IllegalArgumentException("This channel carries byte[]; found "
                    + message.getPayload().getClass().getName() + ". Encode the payload before sending it."));
            return;
        }
        Outgoing to = message.getMetadata(Outgoing.class).orElse(null);
        if (to == null) {
            message.nack(new IllegalArgumentException(
                    "A message needs Outgoing metadata; found none. Add it with the routing key and a message-id."));
            return;
        }
        channel.send(to, body, new Send.Ending() {
            @Override
            public void confirmed() {
                message.ack();
            }

            @Override
            public void failed(PublishFailure failure) {
                message.nack(failure);
            }
        });
    }

    @Override
    public void onError(Throwable failure) {
        LOG.error("an outgoing channel ended with a failure; messages sent to it are refused from now on", failure);
        channel.stop();
    }

    @Override
    public void onComplete() {
        channel.stop();
    }
}
