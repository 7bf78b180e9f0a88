package dev.deferred.core;

import java.util.regex.Pattern;

/** The rule for names of task types: they become routing keys, binding keys and metric labels. */
public final class TaskType {
    /** 1 to 100 letters, digits, {@code _} and {@code -}, in words joined by single dots. */
    public static final String PATTERN = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

    /** The longest name, in characters, which are as many bytes. */
    public static final int MAX_LENGTH = 100;

    private static final Pattern COMPILED = Pattern.compile(PATTERN);

    private TaskType() {}

    /**
     * Returns the name.
     *
     * @throws IllegalArgumentException when it breaks the rule; the message says the rule
     */
    public static String require(String name) {
        if (name.length() > MAX_LENGTH || !COMPILED.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a type has 1 to " + MAX_LENGTH
                            + " letters, digits, '_' or '-', in words joined by single dots, such as order-timeout or orders.timeout");
        }
        return name;
    }
}
