package dev.deferred.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Asks whether an AMQP 0-9-1 broker is there, not merely something that accepts connections for it. */
final class AmqpListener {
    private static final byte[] PROTOCOL_HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final int METHOD_FRAME = 1;
    private static final int TIMEOUT_MS = 2_000;

    private AmqpListener() {}

    /** Whether the broker answers the protocol header within two seconds. */
    static boolean answers(String host, int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(PROTOCOL_HEADER);
            return socket.getInputStream().read() == METHOD_FRAME;
        } catch (IOException notYet) {
            return false;
        }
    }
}
