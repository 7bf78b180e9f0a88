package dev.deferred.testing;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Schedules tasks of one type at a steady rate and with mixed delays, so that some are in every stage at any time, and
 * enters what was answered into the evidence. A request that is not answered takes up one of {@value #MOST_IN_FLIGHT}
 * places; without a free place a turn is left out.
 */
public final class Traffic implements AutoCloseable {
    /** Delays for every stage: none, less than the smallest tier, a tier, and several hops. */
    public static final List<Duration> MIXED_DELAYS = List.of(
            Duration.ZERO,
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofMillis(1_300),
            Duration.ofMillis(2_700),
            Duration.ofSeconds(5));

    private static final int MOST_IN_FLIGHT = 256;

    private final ServiceHttp http;
    private final String type;
    private final List<Duration> delays;
    private final Evidence evidence;
    private final Random random = new Random(42);
    private final Semaphore places = new Semaphore(MOST_IN_FLIGHT);
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();
    private final ScheduledExecutorService clock;

    private Traffic(ServiceHttp http, String type, List<Duration> delays, Evidence evidence) {
        this.http = http;
        this.type = type;
        this.delays = delays;
        this.evidence = evidence;
        this.clock = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "traffic-" + type);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts at once.
     *
     * @param perSecond requests a second, 1 to 1000
     */
    public static Traffic start(
            ServiceHttp http, String type, int perSecond, List<Duration> delays, Evidence evidence) {
        Traffic traffic = new Traffic(http, type, delays, evidence);
        var unused = traffic.clock.scheduleAtFixedRate(traffic::send, 0, 1_000_000L / perSecond, TimeUnit.MICROSECONDS);
        return traffic;
    }

    /** Requests that have left and are not answered. */
    public int inFlight() {
        return MOST_IN_FLIGHT - places.availablePermits();
    }

    /** Sends nothing more and returns when every request has its answer, which each has within its deadline. */
    @Override
    public void close() {
        clock.shutdownNow();
        places.acquireUninterruptibly(MOST_IN_FLIGHT);
        places.release(MOST_IN_FLIGHT);
        if (broken.get() != null) {
            throw new IllegalStateException("an answer could not be recorded", broken.get());
        }
    }

    private void send() {
        if (!places.tryAcquire()) {
            return;
        }
        String ref = type + "-" + sent.incrementAndGet();
        CompletableFuture<Void> unused = http.post(type, delays.get(random.nextInt(delays.size())), ref)
                .thenAccept(evidence::add)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        broken.set(failure);
                    }
                    places.release();
                });
    }
}
