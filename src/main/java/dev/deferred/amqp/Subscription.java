package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.jboss.logging.Logger;

/** One consumer on one AMQP channel: its deliveries are settled here or, once it has ended, nowhere. */
final class Subscription extends DefaultConsumer {
    private static final Logger LOG = Logger.getLogger(Subscription.class);

    private final BrokerConnection connection;
    private final Consumer<Message<byte[]>> receiver;
    private final BiConsumer<Subscription, String> whenEnded;
    private final AtomicInteger inHand = new AtomicInteger();
    private volatile boolean open = true;
    private volatile boolean queueGone;
    private final AtomicLong delivered = new AtomicLong();
    private volatile boolean isStream;
    private long deliveredAtLastLook;
    private boolean idleAtLastLook;

    Subscription(
            Channel channel,
            BrokerConnection connection,
            Consumer<Message<byte[]>> receiver,
            BiConsumer<Subscription, String> whenEnded) {
        super(channel);
        this.connection = connection;
        this.receiver = receiver;
        this.whenEnded = whenEnded;
    }

    void begin(String queue, int prefetch, Map<String, Object> arguments) throws IOException {
        isStream = !arguments.isEmpty();
        getChannel().basicQos(prefetch);
        getChannel().basicConsume(queue, false, arguments, this);
    }

    /** From now on nothing is settled here any more. On the connection's thread. */
    void end() {
        open = false;
        if (getChannel().isOpen()) {
            try {
                getChannel().abort();
            } catch (IOException e) {
                LOG.debug("the channel is gone already", e);
            }
        }
    }

    /**
     * Whether what was delivered here is still for us to bring to its end. Not after the channel went, for then the broker delivers
     * it again; but very much so after its queue was deleted, for then nobody else has it.
     */
    private boolean isOurs() {
        return open || queueGone;
    }

    /** Deliveries that are still for us to bring to their end. */
    int inHand() {
        return isOurs() ? inHand.get() : 0;
    }

    /**
     * Whether messages were ready at the last two looks, and still none came although nothing is in hand. On the connection's
     * thread. A queue that is missing closes the channel, which ends the subscription. A stream keeps what was delivered: its
     * count says nothing.
     */
    boolean isStalled(String queue) throws IOException {
        boolean ready = isReady(queue) && !isStream;
        boolean idle = inHand.get() == 0 && delivered.get() == deliveredAtLastLook && ready;
        boolean stalled = idle && idleAtLastLook;
        idleAtLastLook = idle;
        deliveredAtLastLook = delivered.get();
        return stalled;
    }

    /** Asks the broker, whose answer that the queue is missing may come before its word that the consumer is cancelled. */
    private boolean isReady(String queue) throws IOException {
        try {
            return getChannel().messageCount(queue) > 0;
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException closed && BrokerProblem.isMissing(closed)) {
                queueGone = true;
            }
            throw e;
        }
    }

    /** Whether the queue was deleted, or could not be consumed any more. */
    boolean isQueueGone() {
        return queueGone;
    }

    @Override
    public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
        if (!open) {
            return;
        }
        inHand.incrementAndGet();
        delivered.incrementAndGet();
        long delivery = envelope.getDeliveryTag();
        AtomicBoolean settled = new AtomicBoolean();
        Incoming metadata = new Incoming(
                envelope.getExchange(), envelope.getRoutingKey(), properties, envelope.isRedeliver(), this::isOurs);
        receiver.accept(Message.of(
                body,
                Metadata.of(metadata),
                () -> settle(settled, () -> getChannel().basicAck(delivery, false)),
                failure -> settle(settled, () -> getChannel().basicReject(delivery, false))));
    }

    private interface Settling {
        void run() throws IOException;
    }

    /** Completes when the broker was told, or needs no telling. */
    private CompletionStage<Void> settle(AtomicBoolean settled, Settling settling) {
        return Uni.createFrom()
                .<Void>emitter(emitter -> connection.executeGathered(() -> {
                    if (settled.compareAndSet(false, true)) {
                        if (open) {
                            tell(settling);
                        }
                        inHand.decrementAndGet();
                    }
                    emitter.complete(null);
                }))
                .subscribeAsCompletionStage();
    }

    private static void tell(Settling settling) {
        try {
            settling.run();
        } catch (IOException | AlreadyClosedException e) {
            // the channel is going down: the broker delivers the message again
            LOG.debug("not settled", e);
        }
    }

    @Override
    public void handleCancel(String tag) {
        queueGone = true;
        whenEnded.accept(this, "the broker cancelled the consumer: its queue was deleted or is unavailable");
    }

    @Override
    public void handleShutdownSignal(String tag, ShutdownSignalException cause) {
        if (!cause.isHardError() && !cause.isInitiatedByApplication()) {
            whenEnded.accept(this, "the broker closed the channel: " + BrokerProblem.said(cause));
        }
    }
}
