package dev.deferred.amqp;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Warns of policies on the broker that lose or divert tasks in our queues behind our back. It changes nothing, and a management
 * API that is away or refuses is no fault of the service.
 */
final class PolicyCheck implements BrokerConnection.User {
    private static final Logger LOG = Logger.getLogger(PolicyCheck.class);

    /** A policy may be set at any time. */
    private static final Duration EVERY = Duration.ofMinutes(10);

    /** The management API shows the policy of a fresh queue at its next statistics, every 5 s by default. */
    private static final Duration AFTER_OPENING = Duration.ofSeconds(10);

    private final ManagementApi api;
    private final Supplier<Topology> topology;
    private final BrokerThreads threads;
    private volatile List<String> findings = List.of();
    private String unavailable = "";

    PolicyCheck(ManagementApi api, Supplier<Topology> topology, BrokerThreads threads) {
        this.api = api;
        this.topology = topology;
        this.threads = threads;
        threads.every(EVERY, () -> threads.aside(this::look));
    }

    @Override
    public void opened(Connection connection) {
        threads.after(AFTER_OPENING, () -> threads.aside(this::look));
    }

    @Override
    public void lost() {
        // what was found still holds
    }

    /** What was found when last looked, a sentence for each policy and key; empty when nothing. */
    List<String> findings() {
        return findings;
    }

    /** Asks the broker and says in the log what is new. Blocks for as long as the management API takes. */
    synchronized void look() {
        try {
            List<String> found = harms(api.queues());
            found.stream()
                    .filter(harm -> !findings.contains(harm))
                    .forEach(harm ->
                            LOG.warnf("%s. Change the policy, or its pattern, so that it spares the queue.", harm));
            if (found.isEmpty() && !findings.isEmpty()) {
                LOG.info("no policy on the broker loses or diverts tasks any more");
            }
            findings = found;
            unavailable = "";
        } catch (IOException e) {
            sayOnce(e.toString());
        } catch (InterruptedException e) {
            // the service stops
            Thread.currentThread().interrupt();
        }
    }

    private void sayOnce(String why) {
        if (!why.equals(unavailable)) {
            LOG.infof("policies on the broker can't be checked: %s", why);
            unavailable = why;
        }
    }

    private List<String> harms(List<QueuePolicy> queues) {
        Set<String> ours =
                topology.get().queues().stream().map(Topology.Queue::name).collect(Collectors.toSet());
        Map<String, Set<String>> queuesByHarm = new TreeMap<>();
        queues.stream().filter(queue -> ours.contains(queue.queue())).forEach(queue -> queue.harms()
                .forEach(harm -> queuesByHarm
                        .computeIfAbsent(harm, fresh -> new TreeSet<>())
                        .add(queue.queue())));
        return queuesByHarm.entrySet().stream()
                .map(harm -> harm.getKey() + " on " + String.join(", ", harm.getValue()))
                .toList();
    }
}
