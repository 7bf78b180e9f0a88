package dev.deferred.scheduling;

import dev.deferred.amqp.ParkedRecord;
import dev.deferred.core.ParkedTask;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/** The newest of what is parked, in memory, as the log tells it. Every instance of the service reads the whole log. */
@ApplicationScoped
class ParkedIndex {
    /** How many are kept, each of at most 12 kB. */
    static final int MOST = 1_000;

    private static final Logger LOG = Logger.getLogger(ParkedIndex.class);
    private static final long NOTHING_READ = -1;

    private final NavigableMap<Long, ParkedTask> byPosition = new TreeMap<>();
    private final Map<String, Long> positionById = new HashMap<>();
    private long last = NOTHING_READ;

    /**
     * A part of the list.
     *
     * @param tasks with their positions in the log, newest first
     * @param total how many there are in all
     */
    record Page(List<Map.Entry<Long, ParkedTask>> tasks, int total) {}

    /** Reads an entry of the log. */
    @Incoming(Names.PARKED_LOG_CHANNEL)
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    Uni<Void> read(Message<byte[]> entry) {
        try {
            add(ParkedRecord.read(entry));
        } catch (IllegalArgumentException e) {
            LOG.warnf("an entry in the log of what is parked can't be read: %s", e.getMessage());
        }
        return Settlement.ack(entry);
    }

    synchronized void add(ParkedRecord entry) {
        if (entry.position() <= last) {
            // the log was made anew, or is read again from its beginning
            byPosition.clear();
            positionById.clear();
        }
        last = entry.position();
        if (entry instanceof ParkedRecord.Parked parked) {
            forget(parked.task().id());
            byPosition.put(last, parked.task());
            positionById.put(parked.task().id(), last);
            if (byPosition.size() > MOST) {
                forget(byPosition.firstEntry().getValue().id());
            }
        } else if (entry instanceof ParkedRecord.Gone gone) {
            gone(gone.id(), gone.parkedAtMillis());
        }
    }

    /** What was parked under that id at that time has left the queue; what was parked under it since is kept. */
    synchronized void gone(String id, long parkedAtMillis) {
        find(id).filter(task -> task.parkedAtMillis() <= parkedAtMillis).ifPresent(task -> forget(id));
    }

    private void forget(String id) {
        Long position = positionById.remove(id);
        if (position != null) {
            byPosition.remove(position);
        }
    }

    synchronized Optional<ParkedTask> find(String id) {
        return Optional.ofNullable(positionById.get(id)).map(byPosition::get);
    }

    /** The newest before a position. */
    synchronized Page newest(long before, int limit) {
        return new Page(
                byPosition.headMap(before, false).descendingMap().entrySet().stream()
                        .limit(limit)
                        .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                        .toList(),
                byPosition.size());
    }
}
