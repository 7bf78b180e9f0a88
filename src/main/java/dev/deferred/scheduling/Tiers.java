package dev.deferred.scheduling;

import dev.deferred.amqp.DeferredConnector;
import dev.deferred.amqp.Wire;
import dev.deferred.core.Ladder;
import dev.deferred.core.Step;
import dev.deferred.core.Tier;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.ChannelRegistry;
import io.smallrye.reactive.messaging.MutinyEmitter;
import io.smallrye.reactive.messaging.annotations.EmitterFactoryFor;
import io.smallrye.reactive.messaging.providers.DefaultEmitterConfiguration;
import io.smallrye.reactive.messaging.providers.extension.MediatorManager;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;

/** The tiers as channels: one emitter for each. */
@ApplicationScoped
public class Tiers {
    /** Before the channels are wired, which Quarkus does at 1000. */
    private static final int BEFORE_WIRING = 100;

    private final Ladder ladder;
    private final Names names;
    private final Map<String, Tier> byQueue = new LinkedHashMap<>();
    private final DeferredConnector connector;
    private final ChannelRegistry channels;
    /** Each found at its first use: they are not there before the channels are wired. */
    private final Map<Tier, MutinyEmitter<byte[]>> emitters = new ConcurrentHashMap<>();

    @Inject
    Tiers(
            SchedulingConfig config,
            @Connector(DeferredConnector.NAME) DeferredConnector connector,
            ChannelRegistry channels) {
        this.ladder = ChannelDefaults.ladder(config);
        this.names = new Names(config.prefix());
        this.connector = connector;
        this.channels = channels;
        ladder.tiers().forEach(tier -> byQueue.put(names.delay(tier), tier));
    }

    /** Gives every tier's channel an emitter, as the annotation {@code @Channel} would if the tiers were known to the compiler. */
    void addEmitters(@Observes @Priority(BEFORE_WIRING) StartupEvent event, MediatorManager mediators) {
        ladder.tiers()
                .forEach(tier -> mediators.addEmitter(new DefaultEmitterConfiguration(
                        Names.channel(tier), EmitterFactoryFor.Literal.MUTINY_EMITTER, null, null)));
    }

    /** The tiers from the smallest to the largest. */
    List<Tier> all() {
        return ladder.tiers();
    }

    /** The tier that a message came out of, by the queue in which it expired; empty for one that came otherwise. */
    Optional<Tier> cameOutOf(Message<byte[]> message) {
        return Wire.expiredIn(message).map(byQueue::get);
    }

    /** The next step for a task with that many milliseconds left. */
    Step next(long leftMillis) {
        return ladder.next(leftMillis);
    }

    /** Sends a message into a tier; completes when the broker holds it. */
    Uni<Void> send(Tier tier, Message<byte[]> message) {
        return emitters.computeIfAbsent(tier, this::emitter).sendMessage(message);
    }

    @SuppressWarnings("unchecked") // registered above for byte[] messages
    private MutinyEmitter<byte[]> emitter(Tier tier) {
        return (MutinyEmitter<byte[]>) channels.getMutinyEmitter(Names.channel(tier));
    }

    /**
     * How many messages wait in each tier, from the smallest tier to the largest; a tier whose queue is missing counts as
     * empty. Fails when there is no connection to the broker.
     */
    public Uni<Map<Tier, Long>> waiting() {
        List<Tier> tiers = ladder.tiers();
        return connector.readyIn(tiers.stream().map(names::delay).toList()).map(ready -> {
            Map<Tier, Long> waiting = new LinkedHashMap<>();
            tiers.forEach(tier -> waiting.put(tier, ready.getOrDefault(names.delay(tier), 0L)));
            return waiting;
        });
    }
}
