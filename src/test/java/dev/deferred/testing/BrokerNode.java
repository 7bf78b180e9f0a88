package dev.deferred.testing;

import java.util.OptionalInt;

/**
 * A private, throw-away RabbitMQ node on loopback that a test may stop, kill, freeze and start again.
 *
 * <p>It listens on free ports of its own, keeps its data in a temporary folder and is gone, data and all, when it is
 * closed or when this JVM ends, however it ends. Several may run side by side. Not safe for use by several threads at
 * once, except for {@link #host()}, {@link #port()} and {@link #ctl}.
 */
public interface BrokerNode extends AutoCloseable {

    /** Starts a node with {@link BrokerOptions#defaults()}. */
    static BrokerNode start() {
        return start(BrokerOptions.defaults());
    }

    /**
     * Starts a node and returns once it accepts AMQP connections: from the installed {@code rabbitmq-server}, or where
     * there is none, in a container. {@code TEST_BROKER_ROOT=/some/root} in the environment takes the
     * {@code rabbitmq-server} installed below that folder, by chroot (as root), to test against another version.
     *
     * @throws IllegalStateException if there is nothing to start, or it does not come up within two minutes
     */
    static BrokerNode start(BrokerOptions options) {
        var installed = InstalledBroker.find();
        if (installed.isPresent()) {
            return InstalledBrokerNode.start(installed.get(), options);
        }
        if (ContainerEngine.answers()) {
            return ContainerBrokerNode.start(options);
        }
        throw new IllegalStateException("No RabbitMQ to test with: there is neither an installed rabbitmq-server nor"
                + " a Docker engine that answers; script/test installs what is missing.");
    }

    /** Whether {@link #start()} has something to start: an installed {@code rabbitmq-server} or a Docker engine. */
    static boolean canStart() {
        return InstalledBroker.find().isPresent() || ContainerEngine.answers();
    }

    /** The address of every port of this node, a loopback address. */
    default String host() {
        return "127.0.0.1";
    }

    /** The AMQP port, the same for the node's whole life. */
    int port();

    /** The port of the management API, present if the options ask for {@code rabbitmq_management}. */
    OptionalInt managementPort();

    /** An administrator's name, usable on every virtual host. */
    default String username() {
        return "guest";
    }

    /** The password of {@link #username()}. */
    default String password() {
        return "guest";
    }

    /** Stops the node in order and returns when its process is gone; its data stays. */
    void stop();

    /**
     * Crashes the node (SIGKILL) and returns when its process is gone; its data stays as the crash left it. Queues
     * declared within about the last second may be gone or unusable then, with what they held: RabbitMQ answers a declaration
     * before it is on disk. {@link #stop()} and {@link #startAgain()} after declaring rule that out.
     */
    void kill();

    /** Starts the stopped or killed node on the same data and ports; returns once it accepts AMQP connections. */
    void startAgain();

    /** Halts the node in mid-air (SIGSTOP): connections stay open and nothing answers, until {@link #thaw()}. */
    void freeze();

    /** Lets a frozen node go on (SIGCONT). */
    void thaw();

    /**
     * Runs {@code rabbitmqctl} on this node.
     *
     * @return what it printed, without its progress messages
     * @throws IllegalStateException with the whole output if it fails or takes over a minute
     */
    String ctl(String... arguments);

    /** Ends the node at once, running, frozen or stopped, and deletes its data. */
    @Override
    void close();
}
