package dev.deferred.testing;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The packaged service as a process of its own, which can be killed, stopped and started again on the same HTTP port. It
 * ends with this JVM, however that ends. Its output is appended to a log file below {@code target}.
 */
public final class ServiceProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(40);
    private static final Path PACKAGED =
            Path.of(System.getProperty("faults.packaged-service", "target/quarkus-app/quarkus-run.jar"));

    private final int port = FreePorts.next();
    private final ServiceHttp http = new ServiceHttp(port);
    private final List<String> command;
    private final File log;
    private Process process;
    private LastWill lastWill;

    private ServiceProcess(Path jar, String name, Map<String, String> properties) {
        command = commandLine(jar, port, properties);
        log = Path.of("target", "service-" + name + ".log").toFile();
    }

    /**
     * Starts the packaged service and returns once it says that it is alive; it need not be ready.
     *
     * @param name names the log file, {@code target/service-<name>.log}
     * @param properties configuration, as system properties
     * @throws IllegalStateException if it has not been packaged, or ends before it is alive
     */
    public static ServiceProcess start(String name, Map<String, String> properties) {
        if (!Files.exists(PACKAGED)) {
            throw new IllegalStateException(
                    "Expected the packaged service at " + PACKAGED + " but nothing is there; run ./mvnw verify.");
        }
        return start(PACKAGED, name, properties);
    }

    /** The same from another package of it: see {@link ServiceWithHandlers}. */
    public static ServiceProcess start(Path jar, String name, Map<String, String> properties) {
        ServiceProcess service = new ServiceProcess(jar, name, properties);
        service.startAgain();
        return service;
    }

    /** Starts it again after {@link #kill()} or {@link #stop()}, and returns once it is alive. */
    public void startAgain() {
        launch();
        await("the service to be alive").atMost(START_LIMIT).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "the service ended with status " + process.exitValue() + " while it started, see " + log);
            }
            return http.isAlive();
        });
    }

    /** Starts it again and returns at once, whatever becomes of it. */
    public void launch() {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException("the service is running already");
        }
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lastWill = LastWill.leave("kill -KILL \"$1\"", String.valueOf(process.pid()));
    }

    /** Kills it at once (SIGKILL) and returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Asks it to stop (SIGTERM) and returns when it has. */
    public void stop() {
        process.destroy();
        awaitEnd();
    }

    /** Whether its process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its process id, another one after each start. */
    public long pid() {
        return process.pid();
    }

    /** The port of its REST and health endpoints. */
    public int port() {
        return port;
    }

    /** Its REST and health endpoints. */
    public ServiceHttp http() {
        return http;
    }

    /** What it has printed since this name was first used. */
    public String log() {
        try {
            return Files.readString(log.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
        lastWill.revoke();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("the service did not end within " + STOP_LIMIT + ", see " + log);
            }
            lastWill.revoke();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the service ended", e);
        }
    }

    private static List<String> commandLine(Path jar, int port, Map<String, String> properties) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("-Xmx256m");
        line.add("-Dquarkus.http.host=127.0.0.1");
        line.add("-Dquarkus.http.port=" + port);
        properties.forEach((name, value) -> line.add("-D" + name + "=" + value));
        line.add("-jar");
        line.add(jar.toString());
        return line;
    }
}
