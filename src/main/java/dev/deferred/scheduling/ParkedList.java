package dev.deferred.scheduling;

import dev.deferred.core.ParkedTask;
import java.util.List;
import java.util.OptionalLong;

/**
 * A page of what is parked, newest first.
 *
 * @param tasks the tasks, without their payloads
 * @param waiting how many messages are ready in the parking queue
 * @param listed how many the whole list has: 1,000 at most
 * @param next where the next page begins; empty when this is the last
 */
public record ParkedList(List<ParkedTask> tasks, long waiting, int listed, OptionalLong next) {
    public ParkedList {
        tasks = List.copyOf(tasks);
    }
}
