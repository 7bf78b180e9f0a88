package dev.deferred.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/**
 * Sees to it that every quorum queue of a node that has started again has a leader.
 *
 * <p>After a crash RabbitMQ 3.10 now and then leaves a quorum queue of a single node without one: nothing published to it
 * is ever confirmed, on any connection, and it serves no consumer (rabbitmq-server issue 10070). No client can do anything
 * about that; an operator triggers the election, and so does this.
 */
public final class QuorumLeaders {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Triggers an election in every queue that is no leader yet, and prints how many those are. */
    private static final String ELECT =
            """
            Leaderless = [Pid || Q <- rabbit_amqqueue:list(), amqqueue:is_quorum(Q),
                    Pid <- [amqqueue:get_pid(Q)],
                    case ets:lookup(ra_state, element(1, Pid)) of
                        [State] -> element(2, State) =/= leader;
                        [] -> true
                    end],
            [ra:trigger_election(Pid) || Pid <- Leaderless],
            length(Leaderless).
            """;

    private QuorumLeaders() {}

    /** Returns once all have one, within a minute. */
    public static void elect(BrokerNode broker) {
        await("leaders of all quorum queues")
                .atMost(LIMIT)
                .until(() -> broker.ctl("eval", ELECT).trim().equals("0"));
    }
}
