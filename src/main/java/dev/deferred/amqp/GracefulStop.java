package dev.deferred.amqp;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/** Ends the channels in the order in which nothing is lost: no new deliveries, finish what is in hand, settle sends, close. */
final class GracefulStop {
    private static final Logger LOG = Logger.getLogger(GracefulStop.class);
    private static final long LOOK_EVERY_MILLIS = 10;

    private final long deadlineNanos;

    GracefulStop(Duration grace) {
        this.deadlineNanos = System.nanoTime() + grace.toNanos();
    }

    void stop(
            Collection<IncomingChannel> incoming,
            Collection<OutgoingChannel> outgoing,
            List<BrokerConnection> connections) {
        try {
            incoming.forEach(IncomingChannel::stop);
            if (!reached(() -> incoming.stream().allMatch(channel -> channel.inHand() == 0))) {
                int left = incoming.stream().mapToInt(IncomingChannel::inHand).sum();
                LOG.warnf("stopping with %d messages in hand: the broker delivers them again", left);
            }
            outgoing.forEach(OutgoingChannel::stop);
            reached(() -> outgoing.stream().allMatch(channel -> channel.inFlight() == 0));
            for (BrokerConnection connection : connections) {
                connection.stop(Math.max(1_000, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            LOG.warn("interrupted while stopping: the broker delivers again what is in hand");
            Thread.currentThread().interrupt();
        }
    }

    private boolean reached(BooleanSupplier state) throws InterruptedException {
        while (!state.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
        }
        return true;
    }
}
