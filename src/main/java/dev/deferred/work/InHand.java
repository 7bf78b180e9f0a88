package dev.deferred.work;

import dev.deferred.amqp.Wire;
import dev.deferred.core.Task;
import dev.deferred.core.TaskId;
import dev.deferred.scheduling.Settlement;
import dev.deferred.work.HandlerRegistry.Registered;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * What this process has in hand, or had when a channel went: a task that the broker delivers again then is recognised, so that
 * its handler does not run twice, and what never began does not count as an attempt.
 */
final class InHand {
    /** How a task arrived. */
    enum How {
        /** For the first time here. */
        NEW,
        /** Again, while it waits or runs here: it is settled when that has ended. */
        JOINED,
        /** Again, and here it never began. */
        UNTOUCHED,
        /** Again, and here it has ended. */
        ENDED
    }

    record Arrival(How how, Piece piece) {}

    /** What a task has in common with itself when it is delivered again. */
    record Key(TaskId id, int attempt, long dueAtMillis) {
        private static Key of(Message<byte[]> message, Task task) {
            return new Key(task.id(), task.attempt(), Wire.isDueOnArrival(message) ? 0 : task.dueAtMillis());
        }
    }

    private final int mostLeft;
    private final Map<Key, Piece> pieces = new HashMap<>();

    /** Those whose channel went before they were settled, the oldest first; others may have got them. */
    private final Set<Key> left = new LinkedHashSet<>();

    /** @param mostLeft how many are remembered at most that were not settled when their channel went */
    InHand(int mostLeft) {
        this.mostLeft = mostLeft;
    }

    /** A task arrived; one that is known here goes on with its new message. */
    synchronized Arrival arrived(Message<byte[]> message, Task task, Registered<?> registered) {
        Key key = Key.of(message, task);
        Piece known = pieces.get(key);
        if (known == null || !Settlement.isRedelivered(message) || known.isOurs()) {
            Piece fresh = new Piece(key, message, task, registered);
            pieces.putIfAbsent(key, fresh); // two messages of one id at a time are two pieces
            return new Arrival(How.NEW, fresh);
        }
        left.remove(key);
        return new Arrival(known.deliveredAgain(message), known);
    }

    /** All that is known. */
    synchronized List<Piece> all() {
        return List.copyOf(pieces.values());
    }

    /** Nothing more can be done for a piece at present: it is settled, or its channel went. */
    synchronized void leave(Piece piece) {
        Key key = piece.key();
        if (pieces.get(key) != piece) {
            return;
        }
        if (piece.isOurs()) {
            pieces.remove(key);
            return;
        }
        left.add(key);
        if (left.size() > mostLeft) {
            Iterator<Key> oldest = left.iterator();
            pieces.remove(oldest.next());
            oldest.remove();
        }
    }
}
