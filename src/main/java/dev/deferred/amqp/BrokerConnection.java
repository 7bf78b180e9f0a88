package dev.deferred.amqp;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * One connection that mends itself for ever. A single thread owns it: it connects, declares the topology, lets its users open
 * their channels, and runs every command that writes to the socket. So nothing else can be held up by a broker that stops
 * reading, and a user's state needs no locks.
 */
final class BrokerConnection {
    /** Somebody with a channel on the connection. Calls come on the connection's own thread, unless said otherwise. */
    interface User {
        /** The connection is up and the topology declared: open a channel. */
        void opened(Connection connection) throws IOException, TimeoutException;

        /** The connection is gone, with every channel on it. */
        void lost();

        /** The broker takes messages again after an alarm. */
        default void unblocked() {}

        /** Something may be overdue. Called often, whether connected or not, on the clock's thread: must not block. */
        default void checkDeadlines() {}
    }

    private static final Logger LOG = Logger.getLogger(BrokerConnection.class);
    /** How often deadlines are looked at. */
    static final Duration TICK = Duration.ofMillis(50);

    private final String name;
    private final BrokerSettings settings;
    private final TopologyDeclarer declarer;
    private final BrokerThreads threads;
    private final List<User> users = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
    private final Backoff backoff = Backoff.toReconnect();
    private final GatheringFactory factory;
    private final Thread thread;

    private Connection connection;
    private long nextAttemptNanos = System.nanoTime();
    private volatile Socket socket;
    private volatile boolean stopping;
    private volatile boolean up;
    private volatile Optional<String> blockedBy = Optional.empty();
    private volatile long unblockedNanos = System.nanoTime();
    private volatile Optional<BrokerProblem> problem;

    BrokerConnection(String name, BrokerSettings settings, TopologyDeclarer declarer, BrokerThreads threads) {
        this.name = name;
        this.settings = settings;
        this.declarer = declarer;
        this.threads = threads;
        this.problem = Optional.of(new BrokerProblem(
                BrokerProblem.Kind.UNREACHABLE, "never connected so far to the broker at " + settings.where() + "."));
        this.factory = settings.factory();
        factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(fresh -> socket = fresh));
        factory.setShutdownExecutor(threads.shutdown);
        this.thread = new Thread(this::run, "deferred-" + name);
        this.thread.setDaemon(true);
        // one clock for all users: 20 channels with one each would wake an idle machine 400 times a second
        threads.every(TICK, () -> users.forEach(User::checkDeadlines));
    }

    /** To be called before {@link #start}. */
    void add(User user) {
        users.add(user);
    }

    void start() {
        thread.start();
    }

    /** Runs the command on the connection's thread, after those given before. Never blocks. */
    void execute(Runnable command) {
        commands.add(command);
    }

    /**
     * Like {@link #execute(Runnable)}, for a command that writes and waits for no answer: what several such commands write, one
     * right after the other, leaves together.
     */
    void executeGathered(Runnable command) {
        commands.add(() -> {
            factory.gather();
            try {
                command.run();
            } finally {
                factory.gathered();
            }
        });
    }

    /** Runs the command with the connection, or with null while there is none. */
    void execute(Consumer<Connection> command) {
        commands.add(() -> command.accept(connection));
    }

    /** Why the connection can't be used; empty when it can. */
    Optional<BrokerProblem> problem() {
        return problem.or(() -> blockedBy.map(alarm -> new BrokerProblem(
                BrokerProblem.Kind.BLOCKED,
                "the broker at " + settings.where() + " takes no messages (" + alarm
                        + "). Free memory or disk on it; work goes on by itself afterwards.")));
    }

    boolean isUp() {
        return up;
    }

    boolean isBlocked() {
        return blockedBy.isPresent();
    }

    /** For how many nanoseconds the broker has owed answers, given when it last gave one: an alarm excuses it. */
    long owesAnswersSince(long lastAnswerNanos) {
        long now = System.nanoTime();
        return isBlocked() ? 0 : Math.min(now - lastAnswerNanos, now - unblockedNanos);
    }

    /** Ends a connection that is up but no longer answers; it is made anew. Callable from any thread, even while a write hangs. */
    void drop(String why) {
        Socket current = socket;
        if (up && current != null) {
            socket = null; // once is enough
            LOG.warnf("%s: dropping the connection to %s: %s", name, settings.where(), why);
            closeHard(current);
        }
    }

    /** Ends the connection for good, after the commands given so far. */
    void stop(long millis) throws InterruptedException {
        stopping = true;
        execute(() -> {});
        thread.join(millis);
        Socket current = socket;
        if (thread.isAlive() && current != null) {
            closeHard(current);
        }
    }

    /** Declares the topology anew on the connection that is up, if one is; what went missing comes back. */
    void repair() {
        execute(() -> {
            if (connection != null) {
                try {
                    declarer.declare(connection);
                    problem = Optional.empty();
                } catch (IOException | TimeoutException | RuntimeException e) {
                    // the connection stays: what else is there goes on, and readiness says what is not
                    report(BrokerProblem.of(e, settings));
                }
            }
        });
    }

    private void run() {
        while (!stopping || !commands.isEmpty()) {
            try {
                if (connection == null && !stopping && nextAttemptNanos - System.nanoTime() <= 0) {
                    connect();
                }
                Runnable command = connection == null
                        ? commands.poll(Math.max(1, nextAttemptNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                        : commands.take();
                if (command != null) {
                    command.run();
                }
                if (connection != null && commands.isEmpty()) {
                    flush();
                }
            } catch (InterruptedException e) {
                stopping = true;
            } catch (RuntimeException e) {
                LOG.errorf(e, "%s: a command failed", name);
            }
        }
        if (connection != null) {
            connection.abort(1_000);
        }
        up = false;
    }

    private void flush() {
        try {
            factory.flush();
        } catch (IOException e) {
            // the client notices by itself, and what was not confirmed is published again
            LOG.debugf(e, "%s: not written, the connection is going down", name);
        }
    }

    private void connect() {
        Connection fresh = null;
        try {
            fresh = factory.newConnection(threads.callbacks, settings.addresses(), "deferred-" + name);
            Connection opened = fresh;
            opened.addShutdownListener(cause -> execute(() -> lost(opened, BrokerProblem.of(cause, settings))));
            opened.addBlockedListener(new BlockedListener() {
                @Override
                public void handleBlocked(String reason) {
                    blockedBy = Optional.of(reason);
                    LOG.warnf("%s: the broker takes no messages: %s", name, reason);
                }

                @Override
                public void handleUnblocked() {
                    unblockedNanos = System.nanoTime();
                    blockedBy = Optional.empty();
                    LOG.infof("%s: the broker takes messages again", name);
                    execute(() -> users.forEach(User::unblocked));
                }
            });
            declarer.declare(opened);
            connection = opened;
            up = true;
            for (User user : users) {
                user.opened(opened);
            }
            problem = Optional.empty();
            backoff.reset();
            LOG.infof("%s: connected as %s", name, settings);
        } catch (IOException | TimeoutException | RuntimeException e) {
            report(BrokerProblem.of(e, settings));
            if (fresh != null) {
                forget();
                fresh.abort(1_000);
            }
            scheduleAttempt();
        }
    }

    private void lost(Connection which, BrokerProblem why) {
        if (which == connection) {
            forget();
            if (!stopping) {
                report(why);
                scheduleAttempt();
            }
        }
    }

    private void forget() {
        connection = null;
        up = false;
        blockedBy = Optional.empty();
        users.forEach(User::lost);
    }

    private void scheduleAttempt() {
        boolean patient =
                problem.filter(p -> p.kind() != BrokerProblem.Kind.UNREACHABLE).isPresent();
        nextAttemptNanos = System.nanoTime() + (patient ? backoff.nextAtLeast(3_000) : backoff.next()).toNanos();
    }

    /** Says each new problem once, not at every attempt. */
    private void report(BrokerProblem found) {
        if (!problem.map(BrokerProblem::text).equals(Optional.of(found.text()))) {
            LOG.warnf("%s: %s Trying again until it works.", name, found.text());
        }
        problem = Optional.of(found);
    }

    private static void closeHard(Socket current) {
        try {
            current.setSoLinger(true, 0);
        } catch (SocketException e) {
            LOG.debug("the socket is closed already", e);
        }
        try {
            current.close();
        } catch (IOException e) {
            LOG.debug("closing a socket that is given up", e);
        }
    }
}
