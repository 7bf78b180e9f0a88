package dev.deferred.scheduling;

import dev.deferred.amqp.Wire;
import dev.deferred.core.Task;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.MutinyEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Channel;

/**
 * Sends due tasks to their destinations. Exchanges that are not ours have a channel of their own: the broker closes a channel
 * for one message to an exchange that is missing or forbidden, and the tasks of the others must not wait for that.
 */
@ApplicationScoped
class Release {
    private final MutinyEmitter<byte[]> tasks;
    private final MutinyEmitter<byte[]> elsewhere;
    private final Map<String, MutinyEmitter<byte[]>> byExchange;

    @Inject
    Release(
            SchedulingConfig config,
            @Channel(Names.RELEASE_CHANNEL) MutinyEmitter<byte[]> tasks,
            @Channel(Names.RETRY_CHANNEL) MutinyEmitter<byte[]> retry,
            @Channel(Names.SUSPECT_CHANNEL) MutinyEmitter<byte[]> suspect,
            @Channel(Names.ELSEWHERE_CHANNEL) MutinyEmitter<byte[]> elsewhere) {
        Names names = new Names(config.prefix());
        this.tasks = tasks;
        this.elsewhere = elsewhere;
        this.byExchange = Map.of(names.tasks(), tasks, names.retry(), retry, names.suspects(), suspect);
    }

    /** Sends a task; completes when its destination's queues hold it. Fails as unroutable when there is none. */
    Uni<Void> send(Task task) {
        Optional<String> exchange = task.destination().exchange();
        MutinyEmitter<byte[]> own = exchange.isEmpty() ? tasks : byExchange.get(exchange.get());
        return own == null ? elsewhere.sendMessage(Wire.writeToDestination(task)) : own.sendMessage(Wire.write(task));
    }
}
