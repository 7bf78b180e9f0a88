package dev.deferred.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private EchoServer server;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = EchoServer.start();
        proxy = FaultProxy.inFrontOf(server.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void forwardsInBothDirectionsAndCounts() throws IOException {
        try (Socket first = connect();
                Socket second = connect()) {
            send(first, 1);
            send(second, 2);
            assertThat(receive(first)).isEqualTo(1);
            assertThat(receive(second)).isEqualTo(2);
            assertThat(proxy.connectionsAccepted()).isEqualTo(2);
            assertThat(proxy.connectionsOpen()).isEqualTo(2);
        }
        await().atMost(SOON).until(() -> proxy.connectionsOpen() == 0);
        assertThat(proxy.connectionsAccepted()).isEqualTo(2);
    }

    @Test
    void aResetEndsEveryConnectionAndTheNextOneWorks() throws IOException {
        try (Socket cut = connect()) {
            send(cut, 1);
            assertThat(receive(cut)).isEqualTo(1);
            proxy.reset();
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> receive(cut));
            await().atMost(SOON).until(() -> server.connectionsOpen() == 0);
        }
        try (Socket next = connect()) {
            send(next, 2);
            assertThat(receive(next)).isEqualTo(2);
        }
    }

    @Test
    void aBlackHoleLetsNothingThroughUntilItIsRestored() throws IOException {
        try (Socket socket = connect()) {
            send(socket, 1);
            assertThat(receive(socket)).isEqualTo(1);
            proxy.blackHole();
            assertThat(proxy.holdsBack()).isFalse();
            send(socket, 2);
            await().atMost(SOON).until(proxy::holdsBack);
            assertNothingComesTo(socket);
            assertThat(server.bytesSeen()).isEqualTo(1);
            proxy.restore();
            assertThat(receive(socket)).isEqualTo(2);
        }
    }

    @Test
    void aBlackHoleAcceptsNewConnectionsAndKeepsThemOpen() throws IOException {
        proxy.blackHole();
        try (Socket socket = connect()) {
            send(socket, 1);
            assertNothingComesTo(socket);
            assertThat(proxy.connectionsOpen()).isEqualTo(1);
            assertThat(server.bytesSeen()).isZero();
        }
    }

    @Test
    void aBlackHoleForRepliesDeliversWhatIsSent() throws IOException {
        try (Socket socket = connect()) {
            proxy.blackHoleReplies();
            send(socket, 1);
            await().atMost(SOON).until(() -> server.bytesSeen() == 1);
            assertNothingComesTo(socket);
            proxy.restore();
            assertThat(receive(socket)).isEqualTo(1);
        }
    }

    @Test
    void whatABlackHoleHeldIsLostWithAReset() throws IOException {
        try (Socket socket = connect()) {
            send(socket, 1);
            assertThat(receive(socket)).isEqualTo(1);
            proxy.blackHole();
            send(socket, 2);
            assertNothingComesTo(socket);
            proxy.reset();
            proxy.restore();
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> receive(socket));
            await().atMost(SOON).until(() -> server.connectionsOpen() == 0);
            assertThat(server.bytesSeen()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatIsAwayIsSeenAsAReset() throws IOException {
        server.close();
        try (Socket socket = connect()) {
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> receive(socket));
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout((int) SOON.toMillis());
        return socket;
    }

    private static void send(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
    }

    private static int receive(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }

    private static void assertNothingComesTo(Socket socket) throws IOException {
        socket.setSoTimeout(200);
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> receive(socket));
        socket.setSoTimeout((int) SOON.toMillis());
    }
}
