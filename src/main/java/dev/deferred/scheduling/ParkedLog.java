package dev.deferred.scheduling;

import dev.deferred.amqp.Headers;
import dev.deferred.amqp.ParkedMessage;
import dev.deferred.amqp.ParkedRecord;
import io.smallrye.reactive.messaging.MutinyEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/**
 * Notes what is parked, and what is parked no more, for the list. Only the list depends on it: a note that can't be written is
 * counted, and holds up nothing.
 */
@ApplicationScoped
class ParkedLog {
    private static final Logger LOG = Logger.getLogger(ParkedLog.class);

    private final MutinyEmitter<byte[]> log;
    private final SchedulingMetrics metrics;

    @Inject
    ParkedLog(@Channel(Names.PARK_LOG_CHANNEL) MutinyEmitter<byte[]> log, SchedulingMetrics metrics) {
        this.log = log;
        this.metrics = metrics;
    }

    /** The parking queue holds this message. */
    void parked(Message<byte[]> message) {
        write(ParkedRecord.parked(message));
    }

    /** What was parked under that id at that time, epoch milliseconds, has left the queue. */
    void gone(String id, long parkedAtMillis) {
        write(ParkedRecord.gone(id, parkedAtMillis));
    }

    /** A message came in; if it was parked before, somebody moved it out of the parking queue. */
    void cameIn(Message<byte[]> message) {
        Headers headers = Headers.of(message);
        String id = dev.deferred.amqp.Incoming.of(message).properties().getMessageId();
        if (ParkedMessage.isOne(headers) && id != null) {
            ParkedMessage.parkedAt(headers).ifPresent(at -> gone(id, at));
        }
    }

    private void write(Message<byte[]> entry) {
        log.sendMessage(entry).subscribe().with(written -> {}, failure -> {
            metrics.unlisted();
            LOG.warnf("the list of what is parked misses an entry: %s", failure.getMessage());
        });
    }
}
