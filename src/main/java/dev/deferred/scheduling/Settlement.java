package dev.deferred.scheduling;

import dev.deferred.amqp.Incoming;
import dev.deferred.amqp.PublishFailure;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.function.Supplier;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/**
 * The one place that settles a message: first its successor is published and confirmed, then it is acknowledged. While that
 * can't be done the message stays unacknowledged and the publish is tried again; once the message is no longer ours, the broker
 * has given it to somebody else and it is left alone. So a crash at any point may repeat a task and never loses one.
 */
public final class Settlement {
    private static final Logger LOG = Logger.getLogger(Settlement.class);
    private static final Duration FIRST_WAIT = Duration.ofMillis(100);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private Settlement() {}

    /**
     * Publishes until it succeeds, then acknowledges.
     *
     * @param publish sends the successor; called again after each failure that can pass
     */
    public static Uni<Void> publishThenAck(Message<byte[]> message, Supplier<Uni<Void>> publish) {
        return publishUntilConfirmed(message, publish).chain(() -> ack(message));
    }

    /**
     * Publishes until it succeeds.
     *
     * @return fails only when trying again can't help, or when the message is no longer ours: then nothing more is published, for
     *     whoever gets it next does that
     */
    static Uni<Void> publishUntilConfirmed(Message<byte[]> message, Supplier<Uni<Void>> publish) {
        return Uni.createFrom()
                .deferred(() -> isOurs(message) ? publish.get() : gone())
                .onFailure(failure -> canPass(failure) && isOurs(message))
                .retry()
                .withBackOff(FIRST_WAIT, LONGEST_WAIT)
                .indefinitely();
    }

    /** Acknowledges: nothing of the message is left to do. */
    public static Uni<Void> ack(Message<byte[]> message) {
        return Uni.createFrom().completionStage(message::ack);
    }

    /**
     * The settling of a message, made safe to subscribe to: it never fails. The last resort for a message that can't be settled
     * is to be parked by the broker.
     */
    public static Uni<Void> guarded(Message<byte[]> message, Uni<Void> settling) {
        return settling.onFailure().recoverWithUni(failure -> {
            if (!isOurs(message)) {
                LOG.debug("not settled: the broker delivers the message again", failure);
                return Uni.createFrom().voidItem();
            }
            LOG.error("a message can't be settled; the broker parks it", failure);
            return Uni.createFrom().completionStage(message.nack(failure));
        });
    }

    /** Whether the message is still this consumer's to settle; if not, the broker delivers it again, here or elsewhere. */
    public static boolean isOurs(Message<byte[]> message) {
        return Incoming.of(message).isOurs().getAsBoolean();
    }

    /** Whether the broker delivered the message before, to whomever. */
    public static boolean isRedelivered(Message<byte[]> message) {
        return Incoming.of(message).redelivered();
    }

    private static Uni<Void> gone() {
        return Uni.createFrom()
                .failure(() -> new IllegalStateException("the channel that delivered the message is gone"));
    }

    /** Every failure can pass but that of a message which breaks a limit; even a channel that ends may be one that starts again. */
    private static boolean canPass(Throwable failure) {
        return !(failure instanceof PublishFailure publish && publish.reason() == PublishFailure.Reason.INVALID);
    }
}
