package dev.deferred.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy on loopback that breaks connections the way networks do.
 *
 * <p>Bytes that a black hole holds back are not forgotten: they flow on after {@link #restore()}, as after lost and
 * repeated packets, unless the connection was {@link #reset()} meanwhile. New connections behave as the mode of the moment
 * says. All methods may be called from any thread.
 */
public final class FaultProxy implements AutoCloseable {
    /** Which way bytes may flow. */
    enum Mode {
        FORWARD(true, true),
        BLACK_HOLE(false, false),
        BLACK_HOLE_REPLIES(true, false);

        final boolean toServer;
        final boolean toClient;

        Mode(boolean toServer, boolean toClient) {
            this.toServer = toServer;
            this.toClient = toClient;
        }
    }

    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger holding = new AtomicInteger();
    private Mode mode = Mode.FORWARD;

    private FaultProxy(ServerSocket listener, InetSocketAddress server) {
        this.listener = listener;
        this.server = server;
    }

    /**
     * Starts to listen on a free port of the loopback address.
     *
     * @param serverPort port on the loopback address to forward to; nothing needs to listen there yet
     * @throws IOException when no port is to be had
     */
    public static FaultProxy inFrontOf(int serverPort) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        FaultProxy proxy =
                new FaultProxy(new ServerSocket(0, 128, loopback), new InetSocketAddress(loopback, serverPort));
        Thread acceptor = new Thread(proxy::acceptAll, "fault-proxy-" + proxy.port());
        acceptor.setDaemon(true);
        acceptor.start();
        return proxy;
    }

    /** The port to connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Ends every open connection at once, with a TCP reset on both sides. The mode stays as it is. */
    public void reset() {
        open.forEach(ProxiedConnection::reset);
    }

    /** Keeps connections open and accepts new ones, but lets nothing through in either direction. */
    public void blackHole() {
        turn(Mode.BLACK_HOLE);
    }

    /** Lets through what the client sends, but no reply: publishes arrive and their confirms do not. */
    public void blackHoleReplies() {
        turn(Mode.BLACK_HOLE_REPLIES);
    }

    /** Lets everything through again, beginning with what was held back. */
    public void restore() {
        turn(Mode.FORWARD);
    }

    /** Connections accepted since the start. */
    public int connectionsAccepted() {
        return accepted.get();
    }

    /** Connections open now. */
    public int connectionsOpen() {
        return open.size();
    }

    /** Whether something that was sent is being held back now, in either direction. */
    public boolean holdsBack() {
        return holding.get() > 0;
    }

    /** Stops listening and resets what is open. */
    @Override
    public void close() throws IOException {
        listener.close();
        reset();
    }

    private synchronized void turn(Mode next) {
        mode = next;
        notifyAll();
    }

    /** Waits until bytes may flow in the given direction or the connection has ended. */
    synchronized void awaitFlow(boolean toServer, ProxiedConnection connection) throws InterruptedException {
        holding.incrementAndGet();
        try {
            while (!(toServer ? mode.toServer : mode.toClient) && !connection.ended()) {
                wait();
            }
        } finally {
            holding.decrementAndGet();
        }
    }

    /** Called by a connection that has ended, whatever the reason. */
    synchronized void ended(ProxiedConnection connection) {
        open.remove(connection);
        notifyAll();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                accepted.incrementAndGet();
                ProxiedConnection connection = new ProxiedConnection(this, client, server);
                open.add(connection);
                connection.start();
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new IllegalStateException("the proxy on port " + port() + " cannot accept", e);
                }
            }
        }
    }
}
