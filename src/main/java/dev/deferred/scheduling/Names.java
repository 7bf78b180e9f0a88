package dev.deferred.scheduling;

import dev.deferred.core.Tier;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.regex.Pattern;

/** The names of everything on the broker, and of the channels; they must agree, so they stand together. */
public record Names(String prefix) {
    /** Outgoing: what must be planned, or planned anew. */
    public static final String IN_CHANNEL = "in";
    /** Outgoing: what is due. */
    public static final String RELEASE_CHANNEL = "release";
    /** Outgoing: what is due for another exchange than that of all tasks. */
    public static final String ELSEWHERE_CHANNEL = "elsewhere";

    /** Outgoing: what is due for another attempt. */
    public static final String RETRY_CHANNEL = "retry";

    /** Incoming: tasks that were in hand at several crashes. */
    public static final String SUSPECTS_CHANNEL = "suspects";

    /** Outgoing: tasks that were in hand at several crashes, due for another attempt. */
    public static final String SUSPECT_CHANNEL = "suspect";

    /** Outgoing: what can't go on. */
    public static final String PARK_CHANNEL = "park";

    /** Outgoing: notes of what was parked, and of what is parked no more. */
    public static final String PARK_LOG_CHANNEL = "park-log";

    /** Incoming: those notes, from the oldest on. */
    public static final String PARKED_LOG_CHANNEL = "parked-log";

    /** Incoming: what came out of a tier, or is to be planned. */
    public static final String DUE_CHANNEL = "due";
    /** Incoming: the normal queue. */
    public static final String TASKS_CHANNEL = "tasks";
    /** The name of the bean that knows the types with a handler here: the normal queue's routing keys. */
    public static final String HANDLED_TYPES = "handled-types";

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.-]{1,50}");

    public Names {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new ConfigurationException("deferred.prefix is \"" + prefix
                    + "\", but must have 1 to 50 letters, digits, '_', '-' or '.'. Change it in the configuration.");
        }
    }

    /** The topic exchange where everything enters that must be planned. */
    public String in() {
        return prefix + ".in";
    }

    /** The gate's queue. */
    public String due() {
        return prefix + ".due";
    }

    /** The topic exchange for what is due, and the normal queue. */
    public String tasks() {
        return prefix + ".tasks";
    }

    /** The fanout exchange that leads only to the normal queue: no other service sees a task's further attempts. */
    public String retry() {
        return prefix + ".retry";
    }

    /** The fanout exchange and queue of tasks that were in hand at several crashes: they run one at a time. */
    public String suspects() {
        return prefix + ".suspects";
    }

    /** The fanout exchange and queue of what can't go on. */
    public String parked() {
        return prefix + ".parked";
    }

    /** The fanout exchange and stream of notes about what is parked. */
    public String parkedLog() {
        return prefix + ".parked.log";
    }

    /** A tier's fanout exchange and queue. */
    public String delay(Tier tier) {
        return prefix + ".delay." + tier.name();
    }

    /** A tier's outgoing channel. */
    public static String channel(Tier tier) {
        return "delay-" + tier.name();
    }
}
