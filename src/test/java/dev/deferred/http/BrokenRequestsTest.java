package dev.deferred.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.testing.Broker;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no well-behaved client sends, written by hand. */
@QuarkusTest
@WithTestResource(Broker.class)
class BrokenRequestsTest {
    private static final int PATIENCE_MS = 10_000;
    private static final String START = "POST /tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

    @TestHTTPResource
    URI service;

    /** What the service answers until it closes the connection. */
    private String answer(String request) throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @Test
    void aBodyOfManyChunksIsTooLargeToo() throws IOException {
        String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
        assertThat(answer(START + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(5)))
                .startsWith("HTTP/1.1 413")
                .contains("application/problem+json", "deferred.max-payload");
    }

    @Test
    void aDeclaredLengthIsRefusedBeforeTheBodyComes() throws IOException {
        assertThat(answer(START + "Expect: 100-continue\r\nContent-Length: 9000000\r\n\r\n"))
                .startsWith("HTTP/1.1 413")
                .contains("application/problem+json", "deferred.max-payload");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Type:\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"})
    void aBodyThatIsNotSaidToBeJsonIsNotTaken(String type) throws IOException {
        String start = "POST /tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        assertThat(answer(start + type + "Content-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 415")
                .contains("application/problem+json");
    }

    @Test
    void twoKeysAreOneTooMany() throws IOException {
        String keys = "Idempotency-Key: a\r\nIdempotency-Key: b\r\n";
        assertThat(answer(START + keys + "Connection: close\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 400")
                .contains("Idempotency-Key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: -1\r\n\r\n{}",
                "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                "Content-Length: 999999999999999999999\r\n\r\n{}",
                "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            })
    void anUnclearLengthIsRefused(String rest) throws IOException {
        assertThat(answer(START + "Connection: close\r\n" + rest)).startsWith("HTTP/1.1 400");
    }

    @Test
    void whoHangsUpInTheMiddleLeavesTheServiceWell() throws IOException {
        for (int i = 0; i < 20; i++) {
            try (Socket socket = new Socket(service.getHost(), service.getPort())) {
                socket.getOutputStream().write((START + "Content-Length: 100\r\n\r\n{\"type\":").getBytes(ISO_8859_1));
            }
        }
        assertThat(answer(START + "Connection: close\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 400");
    }
}
