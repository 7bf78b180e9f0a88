package dev.deferred.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends back every byte that it gets. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listener;
    private final AtomicInteger bytesSeen = new AtomicInteger();
    private final AtomicInteger connectionsOpen = new AtomicInteger();

    private EchoServer(ServerSocket listener) {
        this.listener = listener;
    }

    static EchoServer start() throws IOException {
        EchoServer server = new EchoServer(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
        daemon(server::acceptAll).start();
        return server;
    }

    int port() {
        return listener.getLocalPort();
    }

    int bytesSeen() {
        return bytesSeen.get();
    }

    int connectionsOpen() {
        return connectionsOpen.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connectionsOpen.incrementAndGet();
                daemon(() -> echo(socket)).start();
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new IllegalStateException("the echo server cannot accept", e);
                }
            }
        }
    }

    private void echo(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            for (int value = in.read(); value >= 0; value = in.read()) {
                bytesSeen.incrementAndGet();
                out.write(value);
            }
        } catch (IOException reset) {
            // The client has reset the connection: there is nobody left to send back to.
        } finally {
            connectionsOpen.decrementAndGet();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "echo-server");
        thread.setDaemon(true);
        return thread;
    }
}
