package dev.deferred.amqp;

import dev.deferred.core.Task;

/** What an incoming message turned out to be. */
public sealed interface Decoded {
    /** A task. */
    record Sound(Task task) implements Decoded {}

    /**
     * No task can be made of it.
     *
     * @param detail which header or property is wrong, what was found and what was expected
     */
    record Odd(String detail) implements Decoded {}
}
