package dev.deferred.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

/** A node in a Docker container, with its ports published on loopback. */
final class ContainerBrokerNode implements BrokerNode {
    /** The image that Quarkus's Dev Services start, so that a machine pulls one and not two. */
    private static final String IMAGE = "rabbitmq:3.12-management";

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final String name = "deferred-broker-" + UUID.randomUUID();
    private final int port = FreePorts.next();
    private final int managementPort = FreePorts.next();
    private final boolean management;
    private final LastWill lastWill = LastWill.leave("docker rm -f -v \"$1\"", name);

    private ContainerBrokerNode(BrokerOptions options) {
        this.management = options.management();
        docker(
                "create",
                "--name=" + name,
                "--publish=127.0.0.1:%d:5672".formatted(port),
                "--publish=127.0.0.1:%d:15672".formatted(managementPort),
                IMAGE);
        copy("conf.d/90-test.conf", "loopback_users = none\n" + String.join("\n", options.conf()) + "\n");
        copy("advanced.config", options.advancedConfig() + "\n");
        copy("enabled_plugins", options.enabledPlugins());
    }

    static BrokerNode start(BrokerOptions options) {
        var node = new ContainerBrokerNode(options);
        try {
            node.startAgain();
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public OptionalInt managementPort() {
        return management ? OptionalInt.of(managementPort) : OptionalInt.empty();
    }

    @Override
    public void stop() {
        docker("stop", "--time=50", name);
    }

    @Override
    public void kill() {
        docker("kill", name);
        docker("wait", name);
    }

    @Override
    public void startAgain() {
        docker("start", name);
        await("the node in container " + name).atMost(START_LIMIT).until(() -> AmqpListener.answers(host(), port));
    }

    @Override
    public void freeze() {
        docker("pause", name);
    }

    @Override
    public void thaw() {
        docker("unpause", name);
    }

    @Override
    public String ctl(String... arguments) {
        var command = new ArrayList<>(List.of("exec", "--user=rabbitmq", name, "rabbitmqctl", "-q"));
        command.addAll(List.of(arguments));
        return docker(command.toArray(String[]::new));
    }

    @Override
    public void close() {
        docker("rm", "--force", "--volumes", name);
        lastWill.revoke();
    }

    /** Puts a file below {@code /etc/rabbitmq}; by copy, since the engine may not see this machine's folders. */
    private void copy(String target, String content) {
        try {
            Path file = Files.createTempFile("deferred-broker-", ".conf");
            try {
                Files.writeString(file, content, UTF_8);
                Command.run("chmod", "644", file.toString());
                docker("cp", file.toString(), name + ":/etc/rabbitmq/" + target);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String docker(String... arguments) {
        var command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        return Command.run(command.toArray(String[]::new));
    }
}
