package dev.deferred.testing;

import dev.deferred.testing.Produced.Answer;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What was asked for, what was seen, and which faults were at work: what every guarantee is judged by. Thread-safe. */
public final class Evidence {
    private final Map<String, Produced> produced = new ConcurrentHashMap<>();
    private final Map<String, Queue<Seen>> seen = new ConcurrentHashMap<>();
    private final Queue<Disturbance> disturbances = new ConcurrentLinkedQueue<>();

    public void add(Produced task) {
        Produced before = produced.put(task.ref(), task);
        if (before != null) {
            throw new IllegalArgumentException("two tasks are named " + task.ref());
        }
    }

    public void add(Seen delivery) {
        seen.computeIfAbsent(delivery.ref(), ref -> new ConcurrentLinkedQueue<>())
                .add(delivery);
    }

    public void add(Disturbance disturbance) {
        disturbances.add(disturbance);
    }

    public Collection<Produced> produced() {
        return List.copyOf(produced.values());
    }

    /** Tasks that got this answer, in the order of their requests. */
    public List<Produced> answered(Answer answer) {
        return produced.values().stream()
                .filter(task -> task.answer() == answer)
                .sorted(Comparator.comparing(Produced::sentAt))
                .toList();
    }

    /** Accepted tasks that have not come out anywhere. */
    public List<Produced> missing() {
        return answered(Answer.ACCEPTED).stream()
                .filter(task -> sightings(task.ref()).isEmpty())
                .toList();
    }

    /** Every delivery of a task, in the order in which they came. */
    public List<Seen> sightings(String ref) {
        return seen.getOrDefault(ref, new ConcurrentLinkedQueue<>()).stream()
                .sorted(Comparator.comparing(Seen::when))
                .toList();
    }

    /** Every delivery of every task. */
    public List<Seen> sightings() {
        return seen.values().stream().flatMap(Queue::stream).toList();
    }

    /** Whether any fault was at work between two instants. */
    boolean wasDisturbed(Instant begin, Instant end) {
        return disturbances.stream().anyMatch(disturbance -> disturbance.touches(begin, end));
    }

    /** The end of the last fault that was at work between two instants. */
    Optional<Instant> calmAfter(Instant begin, Instant end) {
        return disturbances.stream()
                .filter(disturbance -> disturbance.touches(begin, end))
                .map(Disturbance::to)
                .max(Comparator.naturalOrder());
    }

    /** One line of counts of tasks, for logs and messages. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder();
        for (Answer answer : Answer.values()) {
            line.append(answer.name().toLowerCase(Locale.ROOT)).append(' ');
            line.append(answered(answer).size()).append(", ");
        }
        long repeated = seen.values().stream().filter(all -> all.size() > 1).count();
        long slowest = produced().stream()
                .mapToLong(task -> task.took().toMillis())
                .max()
                .orElse(0);
        return line.append("seen %d, of these repeatedly %d, missing %d, slowest answer %d ms"
                        .formatted(seen.size(), repeated, missing().size(), slowest))
                .toString();
    }
}
