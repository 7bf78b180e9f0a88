package dev.deferred.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/** A node run from an {@link InstalledBroker} as a process of this JVM, with a port mapper (epmd) of its own. */
final class InstalledBrokerNode implements BrokerNode {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(50);

    /** Ends the processes $2..., then deletes the folder $1; once more, should a dying node have written to it. */
    private static final String LEAVE_NOTHING =
            "folder=$1; shift; kill -KILL \"$@\"; rm -rf -- \"$folder\" || { sleep 1; rm -rf -- \"$folder\"; }";

    private final InstalledBroker broker;
    private final NodeFolder folder;
    private final boolean management;
    private final Process portMapper;
    private Process node;
    private LastWill lastWill;
    /** A node listens a moment before it has booted, and refuses {@code rabbitmqctl} until it has. */
    private volatile boolean booted;

    private InstalledBrokerNode(InstalledBroker broker, BrokerOptions options) {
        this.broker = broker;
        this.management = options.management();
        this.folder = NodeFolder.create(broker, options);
        this.portMapper = launch(broker.inside(
                broker.epmd(), "-address", "127.0.0.1", "-port", String.valueOf(folder.portMapperPort())));
        this.lastWill = LastWill.leave(LEAVE_NOTHING, folder.real().toString(), pid(portMapper));
        this.node = launch(broker.program("rabbitmq-server"));
        writeNewWill(portMapper, node);
    }

    static BrokerNode start(InstalledBroker broker, BrokerOptions options) {
        if (!broker.system()) {
            prepareRoot(broker.root());
        }
        var started = new InstalledBrokerNode(broker, options);
        try {
            started.awaitListener();
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    @Override
    public int port() {
        return folder.port();
    }

    @Override
    public OptionalInt managementPort() {
        return management ? OptionalInt.of(folder.managementPort()) : OptionalInt.empty();
    }

    @Override
    public void stop() {
        thaw();
        node.destroy();
        awaitEnd(node);
        writeNewWill(portMapper);
    }

    @Override
    public void kill() {
        node.destroyForcibly();
        awaitEnd(node);
        writeNewWill(portMapper);
    }

    @Override
    public void startAgain() {
        if (node.isAlive()) {
            throw new IllegalStateException("The node is still running; stop or kill it first.");
        }
        node = launch(broker.program("rabbitmq-server"));
        booted = false;
        writeNewWill(portMapper, node);
        awaitListener();
    }

    @Override
    public void freeze() {
        signal("STOP");
        await("every thread of the node to stop")
                .atMost(STOP_LIMIT)
                .pollInterval(POLL)
                .until(() -> ThreadStates.allStopped(node));
    }

    @Override
    public void thaw() {
        signal("CONT");
    }

    @Override
    public String ctl(String... arguments) {
        if (!booted) {
            runCtl("await_startup", "--timeout", String.valueOf(START_LIMIT.toSeconds()));
            booted = true;
        }
        return runCtl(arguments);
    }

    private String runCtl(String... arguments) {
        var quiet = new ArrayList<>(List.of("-q"));
        quiet.addAll(List.of(arguments));
        return Command.run(folder.environment(), broker.program("rabbitmqctl", quiet.toArray(String[]::new)));
    }

    @Override
    public void close() {
        node.destroyForcibly();
        portMapper.destroyForcibly();
        awaitEnd(node);
        awaitEnd(portMapper);
        folder.delete();
        lastWill.revoke();
    }

    private void awaitListener() {
        try {
            await("the node at port " + port())
                    .atMost(START_LIMIT)
                    .pollInterval(POLL)
                    .failFast("the node ended", () -> !node.isAlive())
                    .until(() -> AmqpListener.answers(host(), port()));
        } catch (ConditionTimeoutException | TerminalFailureException e) {
            throw new IllegalStateException("RabbitMQ did not start:%n%s".formatted(folder.output()), e);
        }
    }

    private static void awaitEnd(Process process) {
        await("the end of process " + process.pid())
                .atMost(STOP_LIMIT)
                .pollInterval(POLL)
                .until(() -> !process.isAlive());
    }

    private void signal(String name) {
        Command.run("/bin/sh", "-c", "kill -%s %s".formatted(name, pid(node)));
    }

    private void writeNewWill(Process... processes) {
        var arguments = new ArrayList<>(List.of(folder.real().toString()));
        for (Process process : processes) {
            arguments.add(pid(process));
        }
        LastWill former = lastWill;
        lastWill = LastWill.leave(LEAVE_NOTHING, arguments.toArray(String[]::new));
        former.revoke();
    }

    private Process launch(List<String> command) {
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(folder.environment());
        builder.redirectErrorStream(true)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(Redirect.appendTo(folder.outputFile().toFile()));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pid(Process process) {
        return String.valueOf(process.pid());
    }

    /** A root reached by chroot has no {@code /proc} of its own; RabbitMQ reads its memory and limits there. */
    private static void prepareRoot(Path root) {
        if (!Files.exists(root.resolve("proc/self"))) {
            Command.run("mount", "-t", "proc", "proc", root.resolve("proc").toString());
        }
    }
}
