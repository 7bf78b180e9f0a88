package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One message on its way to a confirm. It ends exactly once: confirmed or failed. */
final class Send {
    /** Told once how the send ended. */
    interface Ending {
        void confirmed();

        void failed(PublishFailure failure);
    }

    final long position;
    final String exchange;
    final String routingKey;
    final AMQP.BasicProperties properties;
    final byte[] body;
    final long sinceNanos = System.nanoTime();
    private final Consumer<Send> accounting;
    private final Ending ending;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile PublishFailure failure;
    private final AtomicInteger copies = new AtomicInteger();
    private volatile ConfirmedChannel publishedOn;

    /** A send whose end is first accounted for, then told. */
    Send(
            long position,
            String exchange,
            String routingKey,
            AMQP.BasicProperties properties,
            byte[] body,
            Consumer<Send> accounting,
            Ending ending) {
        this.position = position;
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.properties = properties;
        this.body = body;
        this.accounting = accounting;
        this.ending = ending;
    }

    void confirm() {
        if (ended.compareAndSet(false, true)) {
            accounting.accept(this);
            ending.confirmed();
        }
    }

    /** Fails it, unless it has ended. A refusal of a repeated message says nothing of the one before. */
    boolean fail(PublishFailure.Reason reason, String text) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        failure = copies.get() > 1 && reason.saysNotHeld()
                ? new PublishFailure(
                        PublishFailure.Reason.OUTCOME_UNKNOWN,
                        "sent and not answered, then sent again and refused: " + text)
                : new PublishFailure(reason, text);
        accounting.accept(this);
        ending.failed(failure);
        return true;
    }

    boolean hasEnded() {
        return ended.get();
    }

    Optional<PublishFailure> failure() {
        return Optional.ofNullable(failure);
    }

    /** Whether the message was ever handed to a channel: from then on the broker may hold it. */
    boolean wasPublished() {
        return copies.get() > 0;
    }

    boolean isPublishedOn(ConfirmedChannel channel) {
        return publishedOn == channel;
    }

    void publishedOn(ConfirmedChannel channel) {
        copies.incrementAndGet();
        publishedOn = channel;
    }

    /** Nothing was written: the channel was closed already. */
    void notPublished() {
        copies.decrementAndGet();
    }

    boolean carries(String id) {
        return properties.getMessageId().equals(id);
    }
}
