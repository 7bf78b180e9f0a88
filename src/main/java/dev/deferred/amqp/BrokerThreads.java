package dev.deferred.amqp;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/** The threads shared by the connections. All are daemons; only what is done {@link #aside} may block on the broker. */
final class BrokerThreads implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(BrokerThreads.class);

    /** Makes the threads that read from a connection. */
    static final ThreadFactory READING = named("deferred-reading");

    /** Runs the client's callbacks: deliveries, in order for each channel. */
    final ExecutorService callbacks = Executors.newFixedThreadPool(2, named("deferred-callback"));

    /** Flushes sockets that are closed, so that a broker that no longer reads can't hold up the closing. */
    final ExecutorService shutdown = Executors.newCachedThreadPool(named("deferred-shutdown"));

    private final ExecutorService blocking = Executors.newCachedThreadPool(named("deferred-aside"));

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(named("deferred-clock"));

    /** Does the job after that time. The job must not block. */
    void after(Duration delay, Runnable job) {
        schedule(job, delay.toMillis(), 0);
    }

    /** Does the job again and again, as long as the threads live. The job must not block. */
    void every(Duration period, Runnable job) {
        schedule(job, period.toMillis(), period.toMillis());
    }

    /** Does a job that may block, on a thread of its own; it is interrupted when the threads end. */
    void aside(Runnable job) {
        try {
            blocking.execute(guarded(job));
        } catch (RejectedExecutionException e) {
            LOG.debug("stopped: nothing is done aside any more", e);
        }
    }

    private static Runnable guarded(Runnable job) {
        return () -> {
            try {
                job.run();
            } catch (RuntimeException e) {
                LOG.error("a job failed", e);
            }
        };
    }

    private void schedule(Runnable job, long delayMillis, long periodMillis) {
        Runnable guarded = guarded(job);
        try {
            Future<?> scheduled = periodMillis > 0
                    ? clock.scheduleAtFixedRate(guarded, delayMillis, periodMillis, TimeUnit.MILLISECONDS)
                    : clock.schedule(guarded, delayMillis, TimeUnit.MILLISECONDS);
            LOG.tracef("scheduled %s", scheduled);
        } catch (RejectedExecutionException e) {
            LOG.debug("stopped: nothing is timed any more", e);
        }
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public void close() {
        clock.shutdownNow();
        blocking.shutdownNow();
        callbacks.shutdown();
        shutdown.shutdown();
    }
}
