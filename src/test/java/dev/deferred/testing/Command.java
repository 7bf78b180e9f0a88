package dev.deferred.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One run of an external program, to its end. */
public final class Command {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private Command() {}

    /** What a program left behind: its exit status, and standard output and error output together. */
    record Result(int status, String output) {}

    /** Runs a program in this JVM's environment; throws with its output unless it succeeds within a minute. */
    public static String run(String... command) {
        return run(new ProcessBuilder(command));
    }

    /** Runs a program in exactly the given environment; throws with its output unless it succeeds within a minute. */
    static String run(Map<String, String> environment, List<String> command) {
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return run(builder);
    }

    private static String run(ProcessBuilder builder) {
        Result result = result(builder, LIMIT);
        if (result.status() != 0) {
            throw new IllegalStateException("%s ended with status %d:%n%s"
                    .formatted(String.join(" ", builder.command()), result.status(), result.output()));
        }
        return result.output();
    }

    /** Runs a program to its end, whatever its status; throws if it takes longer than the limit, and ends it. */
    static Result result(ProcessBuilder builder, Duration limit) {
        try {
            Process process = builder.redirectErrorStream(true).start();
            process.getOutputStream().close();
            var output = CompletableFuture.supplyAsync(() -> readAll(process));
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("%s did not end within %s:%n%s"
                        .formatted(String.join(" ", builder.command()), limit, output.join()));
            }
            return new Result(process.exitValue(), output.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while running " + builder.command(), e);
        }
    }

    private static String readAll(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
