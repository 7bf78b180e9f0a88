package dev.deferred.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One connection through a {@link FaultProxy}: two sockets and a thread for each direction. */
final class ProxiedConnection {
    private static final int LINGER_ZERO_MEANS_RESET = 0;

    private final FaultProxy proxy;
    private final Socket client;
    private final InetSocketAddress serverAddress;
    private final Socket server = new Socket();
    private volatile boolean ended;

    ProxiedConnection(FaultProxy proxy, Socket client, InetSocketAddress serverAddress) {
        this.proxy = proxy;
        this.client = client;
        this.serverAddress = serverAddress;
    }

    void start() {
        daemon("to-server", this::connectAndForward).start();
    }

    boolean ended() {
        return ended;
    }

    void reset() {
        end(true);
    }

    private void connectAndForward() {
        try {
            client.setTcpNoDelay(true);
            proxy.awaitFlow(true, this);
            server.connect(serverAddress);
            server.setTcpNoDelay(true);
        } catch (IOException | InterruptedException e) {
            end(true);
            return;
        }
        daemon("to-client", () -> pump(server, client, false)).start();
        pump(client, server, true);
    }

    private void pump(Socket from, Socket to, boolean toServer) {
        byte[] buffer = new byte[16 * 1024];
        boolean reset = false;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                proxy.awaitFlow(toServer, this);
                if (ended) {
                    return;
                }
                out.write(buffer, 0, read);
            }
            proxy.awaitFlow(toServer, this);
        } catch (IOException | InterruptedException e) {
            reset = true;
        } finally {
            end(reset);
        }
    }

    private synchronized void end(boolean reset) {
        if (ended) {
            return;
        }
        ended = true;
        close(client, reset);
        close(server, reset);
        proxy.ended(this);
    }

    private static void close(Socket socket, boolean reset) {
        try (socket) {
            if (reset && socket.isConnected()) {
                socket.setSoLinger(true, LINGER_ZERO_MEANS_RESET);
            }
        } catch (IOException alreadyGone) {
            // Its peer was faster in ending it, which is what this is for.
        }
    }

    private Thread daemon(String direction, Runnable work) {
        Thread thread = new Thread(work, "fault-proxy-" + proxy.port() + "-" + direction);
        thread.setDaemon(true);
        return thread;
    }
}
