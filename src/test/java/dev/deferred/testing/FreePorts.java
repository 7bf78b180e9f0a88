package dev.deferred.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback ports for servers that stop and start again. They lie below the range from which systems take the ports of
 * outgoing connections: while the server is down no connection may get its port, least of all a client's own attempt to
 * reconnect.
 */
final class FreePorts {
    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** A port that nothing listens on and that this JVM has not been given before. */
    static int next() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (TAKEN.add(port) && free(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free loopback port from %d to %d".formatted(FIRST, END - 1));
    }

    private static boolean free(int port) {
        try (var probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException inUse) {
            return false;
        }
    }
}
