package dev.deferred.scheduling;

import dev.deferred.amqp.Wire;
import dev.deferred.core.Task;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.MutinyEmitter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.reactive.messaging.Channel;

/**
 * Sends due tasks to their destinations. Exchanges that are not ours have a channel of their own: the broker closes a channel
 * for one message to an exchange that is missing or forbidden, and the tasks of the others must not wait for that.
 */
@ApplicationScoped
class Release {
    private final Names names;
    private final MutinyEmitter<byte[]> tasks;
    private final MutinyEmitter<byte[]> retry;
    private final MutinyEmitter<byte[]> suspect;
    private final MutinyEmitter<byte[]> elsewhere;

    @Inject
    Release(
            SchedulingConfig config,
            @Channel(Names.RELEASE_CHANNEL) MutinyEmitter<byte[]> tasks,
            @Channel(Names.RETRY_CHANNEL) MutinyEmitter<byte[]> retry,
            @Channel(Names.SUSPECT_CHANNEL) MutinyEmitter<byte[]> suspect,
            @Channel(Names.ELSEWHERE_CHANNEL) MutinyEmitter<byte[]> elsewhere) {
        this.names = new Names(config.prefix());
        this.tasks = tasks;
        this.retry = retry;
        this.suspect = suspect;
        this.elsewhere = elsewhere;
    }

    /** Sends a task; completes when its destination's queues hold it. Fails as unroutable when there is none. */
    Uni<Void> send(Task task) {
        String exchange = task.destination().exchange().orElse(names.tasks());
        if (exchange.equals(names.tasks())) {
            return tasks.sendMessage(Wire.write(task));
        }
        if (exchange.equals(names.retry())) {
            return retry.sendMessage(Wire.write(task));
        }
        if (exchange.equals(names.suspects())) {
            return suspect.sendMessage(Wire.write(task));
        }
        return elsewhere.sendMessage(Wire.writeToDestination(task));
    }
}
