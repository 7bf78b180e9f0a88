package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;

/**
 * One look through a queue, from its front to where its end was at the beginning. What is not wanted stays unacknowledged, so
 * that the broker puts it back in its old order when the channel closes; only what is wanted is kept in memory.
 */
final class QueueSearch extends DefaultConsumer {
    /** How long a search goes on. What was begun until then is brought to its end. */
    static final Duration TIME = Duration.ofSeconds(10);

    /** How long of that it waits for somebody else who has the queue's messages in hand. */
    private static final Duration OTHERS = Duration.ofSeconds(3);

    /** How many messages a search looks at: AMQP's largest prefetch. */
    static final int MOST_LOOKED_AT = 65_535;

    /** How many are on their way at a time. */
    private static final int AT_A_TIME = 32;

    private static final long PAUSE_MILLIS = 100;

    /** So many pauses, with nothing left in the queue, are an end: the broker counts before it delivers. */
    private static final int PAUSES_AT_THE_END = 2;

    /** This search's own consumer. */
    private static final int OURS = 1;

    private final String queue;
    private final Choice choice;
    private final int most;
    private final long deadlineNanos = System.nanoTime() + TIME.toNanos();
    private final AtomicInteger chosen = new AtomicInteger();
    private final Semaphore free = new Semaphore(AT_A_TIME);
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private volatile TakenOut.End end;
    private int looked;
    private int taken;
    private int settled;
    private Optional<Throwable> failure = Optional.empty();

    /**
     * A search.
     *
     * @param most how many to take, from 1
     */
    QueueSearch(Channel channel, String queue, Choice choice, int most) {
        super(channel);
        this.queue = queue;
        this.choice = choice;
        this.most = most;
    }

    /** Searches; blocks for {@link #TIME}, as long as the last choices take, and until the broker has answered for the end. */
    TakenOut run() throws IOException, InterruptedException {
        AMQP.Queue.DeclareOk found = whenAlone();
        int waiting = found.getMessageCount() > 0 ? found.getMessageCount() : MOST_LOOKED_AT;
        getChannel().basicQos(MOST_LOOKED_AT);
        getChannel().basicConsume(queue, false, this);
        int pauses = 0;
        while (end == null || settled < chosen.get()) {
            Runnable event = events.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            if (event != null) {
                event.run();
                pauses = 0;
            } else if (end == null && free.availablePermits() == AT_A_TIME) {
                pauses = nothingIsReady() ? pauses + 1 : 0;
            }
            if (end == null) {
                look(waiting, pauses);
            }
        }
        if (end != TakenOut.End.FAILED) {
            askForTheEnd(found);
        }
        return new TakenOut(taken, end, failure);
    }

    /**
     * Waits while another instance searches, since each would hide messages from the other; by chance for longer or shorter, so
     * that two that meet do not meet for ever. Goes ahead after a while, and then says that it was not alone.
     */
    private AMQP.Queue.DeclareOk whenAlone() throws IOException, InterruptedException {
        long untilNanos = System.nanoTime() + OTHERS.toNanos();
        AMQP.Queue.DeclareOk found = getChannel().queueDeclarePassive(queue);
        while (found.getConsumerCount() > 0 && System.nanoTime() - untilNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MILLIS / 4, PAUSE_MILLIS));
            found = getChannel().queueDeclarePassive(queue);
        }
        return found;
    }

    /**
     * The broker answers in turn: when it does, it knows every acknowledgement, which it answers none of. It also says whether
     * somebody else had messages in hand meanwhile, who hid them from this search.
     */
    private void askForTheEnd(AMQP.Queue.DeclareOk found) {
        try {
            AMQP.Queue.DeclareOk left = getChannel().queueDeclarePassive(queue);
            boolean shared =
                    found.getConsumerCount() > 0 || left.getConsumerCount() > OURS || looked < found.getMessageCount();
            if (taken >= most) {
                end(TakenOut.End.ENOUGH);
            } else if (end == TakenOut.End.SEARCHED && shared) {
                end(TakenOut.End.SHARED);
            }
        } catch (IOException | AlreadyClosedException e) {
            fail(e);
        }
    }

    private boolean nothingIsReady() {
        try {
            return getChannel().messageCount(queue) == 0;
        } catch (IOException | AlreadyClosedException e) {
            fail(e);
            return false;
        }
    }

    private void look(int waiting, int pauses) {
        if (taken >= most) {
            end(TakenOut.End.ENOUGH);
        } else if (looked >= waiting || pauses >= PAUSES_AT_THE_END) {
            end(TakenOut.End.SEARCHED);
        } else if (looked >= MOST_LOOKED_AT || System.nanoTime() - deadlineNanos >= 0) {
            end(TakenOut.End.CUT_OFF);
        }
    }

    @Override
    public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
        if (end != null || chosen.get() >= most) {
            return;
        }
        Incoming metadata = new Incoming(
                envelope.getExchange(), envelope.getRoutingKey(), properties, envelope.isRedeliver(), () -> true);
        Optional<Uni<Void>> wanted = choice.of(Message.of(body, Metadata.of(metadata)));
        if (wanted.isPresent() && hasRoom() && begun()) {
            long delivery = envelope.getDeliveryTag();
            wanted.get()
                    .subscribe()
                    .with(done -> events.add(() -> done(delivery)), thrown -> events.add(() -> failed(thrown)));
        }
        events.add(() -> looked++);
    }

    /** Waits until fewer are on their way; false when the time is up before. */
    private boolean hasRoom() {
        try {
            return free.tryAcquire(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void done(long delivery) {
        settled++;
        taken++;
        free.release();
        try {
            getChannel().basicAck(delivery, false);
        } catch (IOException | AlreadyClosedException e) {
            fail(e);
        }
    }

    private void failed(Throwable thrown) {
        settled++;
        free.release();
        fail(thrown);
    }

    @Override
    public void handleCancel(String tag) {
        events.add(() -> broken(new IOException("the broker cancelled the consumer: its queue was deleted")));
    }

    @Override
    public void handleShutdownSignal(String tag, ShutdownSignalException cause) {
        events.add(() -> broken(cause));
    }

    private void broken(Exception cause) {
        if (end == null) {
            fail(cause);
        }
    }

    private void fail(Throwable thrown) {
        failure = Optional.of(thrown);
        end(TakenOut.End.FAILED);
    }

    /** From now on nothing more is begun. */
    private synchronized void end(TakenOut.End why) {
        end = why;
    }

    private synchronized boolean begun() {
        if (end != null) {
            return false;
        }
        chosen.incrementAndGet();
        return true;
    }
}
