package dev.deferred.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;

/** Speaks HTTP to a service on loopback. Thread-safe. */
public final class ServiceHttp {
    /** The service's own limit for a request that schedules: its default send timeout. */
    public static final Duration DEADLINE = Duration.ofSeconds(5);

    /** How much longer than {@link #DEADLINE} a request is waited for: two slow cores need some of it. */
    public static final Duration SLACK = Duration.ofSeconds(1);

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(5);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PROBE_LIMIT)
            .build();
    private final URI root;

    /** For the service on this port of the loopback address. */
    public ServiceHttp(int port) {
        root = URI.create("http://127.0.0.1:" + port);
    }

    /** Schedules a task; never fails, since whatever happens is an answer. */
    public CompletableFuture<Produced> post(String type, Duration delay, String ref) {
        String body = "{\"type\":\"%s\",\"delay\":\"%s\",\"payload\":{\"ref\":\"%s\"}}".formatted(type, delay, ref);
        PostedTask posted = new PostedTask(
                ref,
                Instant.now(),
                System.nanoTime(),
                Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(delay));
        return post(body).handle(posted::outcome);
    }

    /** Sends any body to where tasks are scheduled; fails when there is no answer. */
    public CompletableFuture<HttpResponse<String>> post(String body) {
        HttpRequest request = HttpRequest.newBuilder(root.resolve("/tasks"))
                .timeout(DEADLINE.plus(SLACK))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    /** Whether it says that it is alive. */
    public boolean isAlive() {
        return answersUp("/q/health/live");
    }

    /** Whether it says that it is ready. */
    public boolean isReady() {
        return answersUp("/q/health/ready");
    }

    /** Gets a page; throws when there is no answer within five seconds. */
    public HttpResponse<String> get(String path) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(root.resolve(path)).timeout(PROBE_LIMIT).build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while getting " + path, e);
        }
    }

    /** Sends a request without a body; throws when there is no answer in that time. */
    public HttpResponse<String> send(String method, String path, Duration within) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(root.resolve(path))
                .timeout(within)
                .method(method, BodyPublishers.noBody())
                .build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending to " + path, e);
        }
    }

    private boolean answersUp(String path) {
        try {
            return get(path).statusCode() == 200;
        } catch (IOException noAnswer) {
            return false;
        }
    }
}
