package dev.deferred.amqp;

import io.smallrye.mutiny.Uni;
import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Message;

/** Says which messages are taken out of a queue, and what is done with each before it is acknowledged. */
public interface Choice {
    /**
     * Looks at a message; must not block.
     *
     * @return what has to succeed for the message to be acknowledged; empty to leave it where it is
     */
    Optional<Uni<Void>> of(Message<byte[]> message);
}
