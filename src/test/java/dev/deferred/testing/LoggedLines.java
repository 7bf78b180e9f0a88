package dev.deferred.testing;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;

/** What a class writes into the log, from now until this is closed. Thread-safe. */
public final class LoggedLines implements AutoCloseable {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger;
    private final Handler listener = new Handler() {
        private final PatternFormatter message = new PatternFormatter("%s");

        @Override
        public void publish(LogRecord record) {
            lines.add(message.format(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private LoggedLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(listener);
    }

    /**
     * Begins to listen.
     *
     * @param name the full name of the class
     */
    public static LoggedLines of(String name) {
        return new LoggedLines(name);
    }

    /** So far, those that contain a text. */
    public List<String> with(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        logger.removeHandler(listener);
    }
}
