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
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource({"8190,404", "8191,404", "8192,414", "60000,414"})
    void aPathThatIsTooLongIsRefusedInWords(int more, int status) throws IOException {
        assertThat(answer("GET /" + "a".repeat(more) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status)
                .contains("application/problem+json", "/q/openapi");
    }

    @ParameterizedTest
    @CsvSource({"16000,400", "16384,431", "60000,431"})
    void headersThatAreTooLargeAreRefusedInWords(int length, int status) throws IOException {
        String header = "X-Much: " + "a".repeat(length) + "\r\n";
        assertThat(answer(START + header + "Connection: close\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 " + status)
                .contains("application/problem+json", status == 431 ? "send fewer" : "type is missing");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /tiers HTTP/1.1,400,Host",
        "OPTIONS * HTTP/1.1|Host: localhost|Connection: close,404,/q/openapi",
        "CONNECT localhost:80 HTTP/1.1|Host: localhost|Connection: close,404,/q/openapi",
        "GET /q/nothing HTTP/1.1|Host: localhost|Connection: close,404,/q/openapi",
    })
    void whatNoResourceSeesIsAnsweredInWordsToo(String head, int status, String word) throws IOException {
        assertThat(answer(head.replace("|", "\r\n") + "\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status)
                .contains("application/problem+json", word)
                .doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"garbage", "GET /%zz HTTP/1.1|Host: localhost|Connection: close", "GET /tiers HTTP/1.1|: x"})
    void whatIsNotHttpIsRefusedAndTheConnectionClosed(String head) throws IOException {
        assertThat(answer(head.replace("|", "\r\n") + "\r\n\r\n")).containsPattern("^HTTP/1.[01] 400");
    }

    @Test
    void requestsSentTogetherAreAnsweredInTurn() throws IOException {
        String get = "GET /%s HTTP/1.1\r\nHost: localhost\r\n";
        String answers = answer(get.formatted("tiers") + "\r\n"
                + START + "Content-Length: 2\r\n\r\n{}"
                + get.formatted("nothing") + "Connection: close\r\n\r\n");
        assertThat(answers).containsSubsequence("HTTP/1.1 200", "HTTP/1.1 400", "type is missing", "HTTP/1.1 404");
    }

    @Test
    void aBodyInSmallChunksIsReadAndOneThatBreaksOffLeavesTheServiceWell() throws IOException {
        String chunked = START + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(answer(chunked + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("type is missing");
        assertThat(answer(chunked + "zz\r\n{}\r\n")).doesNotContain("202");
        assertThat(answer(chunked + "2\r\n{}\r\n0\r\n\r\n")).contains("type is missing");
    }

    @Test
    void whoWaitsToBeAskedForTheBodyIsAsked() throws IOException {
        assertThat(answer(START + "Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 100")
                .contains("type is missing");
    }

    /** {@link WholeBody} gives a body 30 s, and the HTTP server gives up reading after as long. */
    @Test
    void aBodyThatNeverComesEndsTheRequest() throws IOException {
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setSoTimeout(40_000);
            socket.getOutputStream().write((START + "Content-Length: 100\r\n\r\n{").getBytes(ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(answer).startsWith("HTTP/1.1 408").contains("application/problem+json");
        }
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
