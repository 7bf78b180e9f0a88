package dev.deferred.faults.handlers;

import dev.deferred.core.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The runs of handlers in a service that may die at any time: one line each, written at once into a file that outlives it. */
public final class NotedRuns {
    /** The property that names the file. */
    public static final String FILE = "test.noted-runs";

    /** A run: what it was and of which task. */
    public record Run(String what, String id, int attempt) {}

    private NotedRuns() {}

    static void note(String what, Task task) {
        String line = what + ' ' + task.id().value() + ' ' + task.attempt() + '\n';
        try {
            Files.writeString(
                    Path.of(System.getProperty(FILE)),
                    line,
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All runs so far, in their order; a line that is still being written is left out. */
    public static List<Run> in(Path file) {
        try {
            String all = Files.exists(file) ? Files.readString(file) : "";
            return all.substring(0, all.lastIndexOf('\n') + 1)
                    .lines()
                    .map(line -> line.split(" "))
                    .map(words -> new Run(words[0], words[1], Integer.parseInt(words[2])))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
