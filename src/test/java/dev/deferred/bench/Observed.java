package dev.deferred.bench;

import dev.deferred.testing.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Java process seen from outside. */
record Observed(ProcessHandle process) {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

    static Observed of(long pid) {
        return new Observed(ProcessHandle.of(pid).orElseThrow());
    }

    static Observed self() {
        return new Observed(ProcessHandle.current());
    }

    /** The CPU time it has taken, user and system. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** What its heap holds after a full collection, in bytes. */
    long liveHeap() {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Matcher total = TOTAL.matcher(Command.run(jcmd, String.valueOf(process.pid()), "GC.class_histogram"));
        if (!total.find()) {
            throw new IllegalStateException("jcmd printed no total");
        }
        return Long.parseLong(total.group(1));
    }
}
