package dev.deferred.amqp;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Takes single messages out of a queue, on a connection of its own, so that what streams by holds up nothing else. One search
 * at a time: two would hide messages from each other.
 */
final class TakeOut {
    /** How long a search waits for the one before it. */
    static final Duration TURN = Duration.ofSeconds(5);

    private static final Logger LOG = Logger.getLogger(TakeOut.class);
    private static final int CLOSE_MILLIS = 2_000;

    private final BrokerSettings settings;
    private final BrokerThreads threads;
    private final Semaphore turn = new Semaphore(1, true);

    TakeOut(BrokerSettings settings, BrokerThreads threads) {
        this.settings = settings;
        this.threads = threads;
    }

    /**
     * Looks through the queue from its front.
     *
     * @param most how many to take at most, from 1
     * @return fails with a {@link PublishFailure} when the broker can't be reached or refuses
     */
    Uni<TakenOut> from(String queue, Choice choice, int most) {
        return Uni.createFrom()
                .emitter(emitter -> threads.aside(() -> {
                    try {
                        emitter.complete(inTurn(queue, choice, most));
                    } catch (IOException | TimeoutException | ShutdownSignalException e) {
                        emitter.fail(failure(e));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        emitter.fail(new PublishFailure(
                                PublishFailure.Reason.BROKER_AWAY, "interrupted: the service is stopping"));
                    } catch (RuntimeException e) {
                        emitter.fail(e);
                    }
                }));
    }

    private TakenOut inTurn(String queue, Choice choice, int most)
            throws IOException, TimeoutException, InterruptedException {
        if (!turn.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS)) {
            return new TakenOut(0, TakenOut.End.BUSY, Optional.empty());
        }
        try {
            Connection connection =
                    settings.factory().newConnection(new CallingThread(), settings.addresses(), "deferred-take-out");
            try {
                return new QueueSearch(connection.createChannel(), queue, choice, most).run();
            } finally {
                close(connection);
            }
        } finally {
            turn.release();
        }
    }

    /** What is unacknowledged goes back into the queue, in its order. */
    private static void close(Connection connection) {
        try {
            connection.close(CLOSE_MILLIS);
        } catch (IOException | ShutdownSignalException e) {
            LOG.debug("closed already", e);
            connection.abort(CLOSE_MILLIS);
        }
    }

    private PublishFailure failure(Exception e) {
        BrokerProblem problem = BrokerProblem.of(e, settings);
        return new PublishFailure(
                problem.kind() == BrokerProblem.Kind.UNREACHABLE
                        ? PublishFailure.Reason.BROKER_AWAY
                        : PublishFailure.Reason.REFUSED,
                problem.text());
    }
}
