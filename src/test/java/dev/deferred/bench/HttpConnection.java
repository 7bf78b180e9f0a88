package dev.deferred.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection on which requests are answered with 202, one after the other. */
final class HttpConnection implements AutoCloseable {
    private static final String LENGTH = "content-length: ";

    private final SocketChannel socket;
    private final ByteBuffer received = ByteBuffer.allocate(16_384);

    HttpConnection(InetSocketAddress server, Selector selector) throws IOException {
        socket = SocketChannel.open(server);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.configureBlocking(false);
        socket.register(selector, SelectionKey.OP_READ, this);
    }

    void send(byte[] request) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(request);
        while (all.hasRemaining()) {
            socket.write(all);
        }
    }

    /**
     * Reads what is there.
     *
     * @return whether the answer is complete
     * @throws IllegalStateException when it is not 202
     */
    boolean answered() {
        try {
            if (socket.read(received) < 0) {
                throw new IllegalStateException("the service closed a connection");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String text = new String(received.array(), 0, received.position(), StandardCharsets.ISO_8859_1);
        int headersEnd = text.indexOf("\r\n\r\n");
        if (headersEnd < 0 || text.length() < headersEnd + 4 + bodyLength(text.substring(0, headersEnd + 2))) {
            return false;
        }
        if (!text.startsWith("HTTP/1.1 202 ")) {
            throw new IllegalStateException("the service answered " + text);
        }
        received.clear();
        return true;
    }

    private static int bodyLength(String headers) {
        String lower = headers.toLowerCase(Locale.ROOT);
        int from = lower.indexOf(LENGTH) + LENGTH.length();
        return Integer.parseInt(lower.substring(from, lower.indexOf("\r\n", from)));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
