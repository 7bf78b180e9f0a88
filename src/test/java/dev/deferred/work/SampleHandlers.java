package dev.deferred.work;

import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Handlers of every kind for {@link WorkerTest}; each notes what it was given. */
final class SampleHandlers {
    record Seen(Object payload, Task task, boolean onEventLoop) {}

    record Line(String item, int count) {}

    record Order(String id, List<Line> lines) {}

    static final ConcurrentLinkedQueue<Seen> SEEN = new ConcurrentLinkedQueue<>();
    static final AtomicInteger RUNNING = new AtomicInteger();
    static final AtomicInteger MOST_RUNNING = new AtomicInteger();
    static volatile CountDownLatch mayEnd = new CountDownLatch(0);

    private SampleHandlers() {}

    private abstract static class Noting<T> implements TaskHandler<T> {
        private final String type;
        private final Class<T> payloadType;

        Noting(String type, Class<T> payloadType) {
            this.type = type;
            this.payloadType = payloadType;
        }

        @Override
        public String type() {
            return type;
        }

        @Override
        public Class<T> payloadType() {
            return payloadType;
        }

        @Override
        public Uni<Outcome> handle(T payload, Task task) {
            SEEN.add(new Seen(payload, task, Context.isOnEventLoopThread()));
            return Uni.createFrom().item(Outcome.done());
        }
    }

    @ApplicationScoped
    static class Orders extends Noting<Order> {
        Orders() {
            super("sample.order", Order.class);
        }
    }

    @ApplicationScoped
    static class Texts extends Noting<String> {
        Texts() {
            super("sample.text", String.class);
        }
    }

    @ApplicationScoped
    @NonBlocking
    static class Bytes extends Noting<byte[]> {
        Bytes() {
            super("sample.bytes", byte[].class);
        }
    }

    @ApplicationScoped
    static class Throwing extends Noting<String> {
        Throwing() {
            super("sample.throws", String.class);
        }

        @Override
        public Uni<Outcome> handle(String payload, Task task) {
            throw new IllegalStateException("no luck with " + "x".repeat(300_000));
        }
    }

    @ApplicationScoped
    static class Failing extends Noting<String> {
        Failing() {
            super("sample.fails", String.class);
        }

        @Override
        public Uni<Outcome> handle(String payload, Task task) {
            return Uni.createFrom().failure(new IllegalArgumentException("asynchronously"));
        }
    }

    @ApplicationScoped
    static class Asking extends Noting<String> {
        Asking() {
            super("sample.parks", String.class);
        }

        @Override
        public Uni<Outcome> handle(String payload, Task task) {
            return Uni.createFrom().item(Outcome.park("there is no such order"));
        }
    }

    @ApplicationScoped
    static class Null extends Noting<String> {
        Null() {
            super("sample.null", String.class);
        }

        @Override
        public Uni<Outcome> handle(String payload, Task task) {
            return Uni.createFrom().nullItem();
        }
    }

    @ApplicationScoped
    static class Endless extends Noting<String> {
        Endless() {
            super("sample.endless", String.class);
        }

        @Override
        public Uni<Outcome> handle(String payload, Task task) {
            return Uni.createFrom().nothing();
        }
    }

    /** Blocks its thread until the test lets it end. */
    @ApplicationScoped
    static class Blocking extends Noting<String> {
        Blocking() {
            super("sample.blocks", String.class);
        }

        @Override
        public Uni<Outcome> handle(String payload, Task task) {
            MOST_RUNNING.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
            try {
                if (!mayEnd.await(30, TimeUnit.SECONDS)) {
                    return Uni.createFrom().item(Outcome.park("the test never let it end"));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Uni.createFrom().failure(e);
            } finally {
                RUNNING.decrementAndGet();
            }
            return super.handle(payload, task);
        }
    }
}
