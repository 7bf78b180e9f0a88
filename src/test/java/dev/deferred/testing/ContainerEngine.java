package dev.deferred.testing;

import java.io.UncheckedIOException;
import java.time.Duration;

/** The Docker engine behind the {@code docker} command, if there is one. */
final class ContainerEngine {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private ContainerEngine() {}

    /** Whether the command is installed and an engine answers it. */
    static boolean answers() {
        return Answer.YES;
    }

    /** Asked once: an engine does not come and go during the tests. */
    private static final class Answer {
        static final boolean YES = ask();

        private static boolean ask() {
            var question = new ProcessBuilder("docker", "version", "--format", "{{.Server.Version}}");
            try {
                return Command.result(question, LIMIT).status() == 0;
            } catch (UncheckedIOException notInstalled) {
                return false;
            }
        }
    }
}
