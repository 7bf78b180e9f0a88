package dev.deferred.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Posts requests, one after the other: one thread, a fixed number of connections that stay open, one request at a time on
 * each. It does next to nothing itself, so that what is measured is the service.
 */
final class HttpLoad implements AutoCloseable {
    private final Selector selector;
    private final List<HttpConnection> connections = new ArrayList<>();

    /** Connects to a server on loopback. */
    HttpLoad(int port, int concurrency) {
        try {
            selector = Selector.open();
            for (int i = 0; i < concurrency; i++) {
                connections.add(
                        new HttpConnection(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), selector));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Posts for that long, each connection again as soon as it has its answer. */
    Pace run(Supplier<byte[]> requests, Duration time) {
        return run(requests, Long.MAX_VALUE, time, 0);
    }

    /** Posts that many requests. */
    Pace run(Supplier<byte[]> requests, long count) {
        return run(requests, count, Duration.ofHours(1), 0);
    }

    /** Posts that many requests a second for that long. */
    Pace runPaced(Supplier<byte[]> requests, int perSecond, Duration time) {
        return run(requests, Long.MAX_VALUE, time, 1_000_000_000L / perSecond);
    }

    private Pace run(Supplier<byte[]> requests, long count, Duration time, long periodNanos) {
        ArrayDeque<HttpConnection> idle = new ArrayDeque<>(connections);
        long began = System.nanoTime();
        long end = began + time.toNanos();
        long next = began;
        long sent = 0;
        try {
            while (true) {
                long now = System.nanoTime();
                while (sent < count && now < end && now >= next && !idle.isEmpty()) {
                    idle.remove().send(requests.get());
                    sent++;
                    next = periodNanos == 0 ? now : next + periodNanos;
                }
                if ((sent == count || now >= end) && idle.size() == connections.size()) {
                    return new Pace(sent, Duration.ofNanos(now - began));
                }
                selector.select(key -> receive(key, idle), periodNanos == 0 ? 1_000 : 1);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void receive(SelectionKey key, ArrayDeque<HttpConnection> idle) {
        HttpConnection connection = (HttpConnection) key.attachment();
        if (connection.answered()) {
            idle.add(connection);
        }
    }

    @Override
    public void close() {
        try {
            for (HttpConnection connection : connections) {
                connection.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
