package dev.deferred.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell command that runs when this JVM is gone, even if it was killed. A shell waits for the end of its standard
 * input, which the system closes with the JVM.
 */
final class LastWill {
    private final Process waiting;

    private LastWill(Process waiting) {
        this.waiting = waiting;
    }

    /** Leaves a POSIX shell command, with its arguments as {@code $1}, {@code $2}, ... */
    static LastWill leave(String command, String... arguments) {
        var shell = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' HUP INT TERM; read -r _; " + command, "sh"));
        shell.addAll(List.of(arguments));
        try {
            return new LastWill(new ProcessBuilder(shell)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes the command back. */
    void revoke() {
        waiting.destroyForcibly();
    }
}
