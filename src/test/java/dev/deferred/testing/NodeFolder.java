package dev.deferred.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The temporary folder of one node: its configuration, data and log, and the environment that makes RabbitMQ's programs
 * use them and nothing else.
 */
record NodeFolder(
        Path real, Path seen, String nodeName, int port, int distributionPort, int managementPort, int portMapperPort) {

    /** Creates the folder and writes the configuration of a node of this broker. */
    static NodeFolder create(InstalledBroker broker, BrokerOptions options) {
        try {
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            Path parent = broker.system() ? temporary : broker.root().resolve("tmp");
            Path real = Files.createTempDirectory(parent, "deferred-broker-").toAbsolutePath();
            Path seen = broker.system()
                    ? real
                    : Path.of("/").resolve(broker.root().toAbsolutePath().relativize(real));
            var folder = new NodeFolder(
                    real,
                    seen,
                    "node-%s@localhost".formatted(real.getFileName().toString().replaceAll("\\D", "")),
                    FreePorts.next(),
                    FreePorts.next(),
                    FreePorts.next(),
                    FreePorts.next());
            folder.write(options);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole environment of the node and its tools: nothing is taken over from this JVM's. */
    Map<String, String> environment() {
        var variables = new LinkedHashMap<String, String>();
        variables.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin");
        variables.put("LANG", "C.UTF-8");
        variables.put("HOME", seen.toString());
        variables.put(
                "ERL_CRASH_DUMP",
                in("erl_crash.dump")); // of a tool that is cut off, which else leaves it where it runs
        variables.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        variables.put("ERL_EPMD_PORT", String.valueOf(portMapperPort));
        variables.put("RABBITMQ_NODENAME", nodeName);
        variables.put("RABBITMQ_DIST_PORT", String.valueOf(distributionPort));
        variables.put("RABBITMQ_MNESIA_BASE", in("data"));
        variables.put("RABBITMQ_LOG_BASE", in("log"));
        variables.put("RABBITMQ_PID_FILE", in("pid"));
        variables.put("RABBITMQ_CONFIG_FILE", in("rabbitmq.conf"));
        variables.put("RABBITMQ_ADVANCED_CONFIG_FILE", in("advanced.config"));
        variables.put("RABBITMQ_CONF_ENV_FILE", in("no-environment.conf"));
        variables.put("RABBITMQ_ENABLED_PLUGINS_FILE", in("enabled_plugins"));
        variables.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}");
        // the process that is started then is the Erlang VM itself and not a shell around it, so signals reach the VM
        variables.put("RUNNING_UNDER_SYSTEMD", "true");
        return variables;
    }

    /** Where the node's and the port mapper's output goes, outside the data. */
    Path outputFile() {
        return real.resolve("output");
    }

    /** The last lines of {@link #outputFile()}, for a message about a failure. */
    String output() {
        try {
            var lines = Files.readAllLines(outputFile(), UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the folder with all that is in it. */
    void delete() {
        try (var inside = Files.walk(real)) {
            for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(BrokerOptions options) throws IOException {
        Files.createDirectories(real.resolve("data"));
        Files.createDirectories(real.resolve("log"));
        Files.writeString(real.resolve("rabbitmq.conf"), configuration(options));
        Files.writeString(real.resolve("advanced.config"), options.advancedConfig() + "\n");
        Files.writeString(real.resolve("enabled_plugins"), options.enabledPlugins());
        Path cookie = Files.createFile(
                real.resolve(".erlang.cookie"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(cookie, UUID.randomUUID().toString());
    }

    private String configuration(BrokerOptions options) {
        var lines = new StringBuilder(
                """
                listeners.tcp.1 = 127.0.0.1:%d
                disk_free_limit.absolute = 50MB
                """
                        .formatted(port));
        if (options.management()) {
            lines.append(
                    """
                    management.tcp.ip = 127.0.0.1
                    management.tcp.port = %d
                    """
                            .formatted(managementPort));
        }
        options.conf().forEach(line -> lines.append(line).append('\n'));
        return lines.toString();
    }

    private String in(String name) {
        return seen.resolve(name).toString();
    }
}
