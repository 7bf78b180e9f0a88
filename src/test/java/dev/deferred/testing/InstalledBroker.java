package dev.deferred.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An installed RabbitMQ: where its programs are and how they are called.
 *
 * @param root the folder it is installed in as if that were {@code /}; {@code /} itself for the system's own
 * @param programs the folder of {@code rabbitmq-server} and {@code rabbitmqctl}, as seen from the root
 * @param epmd Erlang's port mapper, as seen from the root
 */
record InstalledBroker(Path root, Path programs, Path epmd) {
    /** The environment variable that names another root. */
    static final String ROOT_VARIABLE = "TEST_BROKER_ROOT";

    private static final Path SYSTEM = Path.of("/");

    /** Where packages put them: Debian and RPM, RPM without its link, tarballs, Homebrew on ARM, Intel and Linux. */
    private static final List<String> PROGRAM_FOLDERS = List.of(
            "usr/lib/rabbitmq/bin",
            "usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin",
            "opt/rabbitmq*/sbin",
            "opt/homebrew/opt/rabbitmq/sbin",
            "usr/local/opt/rabbitmq/sbin",
            "home/linuxbrew/.linuxbrew/opt/rabbitmq/sbin");

    private static final List<String> EPMD_FOLDERS = List.of(
            "usr/bin",
            "usr/local/bin",
            "opt/homebrew/bin",
            "home/linuxbrew/.linuxbrew/bin",
            "usr/lib/erlang/erts-*/bin",
            "usr/lib64/erlang/erts-*/bin");

    /**
     * The one below {@code TEST_BROKER_ROOT}, else the system's own, if any.
     *
     * @throws IllegalStateException if the variable names a root without a {@code rabbitmq-server}
     */
    static Optional<InstalledBroker> find() {
        if (!rootNamed()) {
            return in(SYSTEM);
        }
        String named = System.getenv(ROOT_VARIABLE);
        var found = in(Path.of(named));
        if (found.isEmpty()) {
            throw new IllegalStateException(("%s=%s has no rabbitmq-server in it; name a root folder that has one, or"
                            + " unset the variable to use the installed one.")
                    .formatted(ROOT_VARIABLE, named));
        }
        return found;
    }

    /** Whether {@code TEST_BROKER_ROOT} asks for another than the system's. */
    static boolean rootNamed() {
        String named = System.getenv(ROOT_VARIABLE);
        return named != null && !named.isBlank();
    }

    private static Optional<InstalledBroker> in(Path root) {
        var programs = executable(root, PROGRAM_FOLDERS, "rabbitmq-server").map(Path::getParent);
        var epmd = executable(root, EPMD_FOLDERS, "epmd");
        return programs.flatMap(folder -> epmd.map(mapper -> new InstalledBroker(root, folder, mapper)));
    }

    boolean system() {
        return root.equals(SYSTEM);
    }

    /** The command line that runs one of RabbitMQ's programs. */
    List<String> program(String name, String... arguments) {
        return inside(programs.resolve(name), arguments);
    }

    /** The command line that runs a program of this root. */
    List<String> inside(Path program, String... arguments) {
        var command = new ArrayList<String>();
        if (!system()) {
            command.addAll(List.of("chroot", root.toString()));
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static Optional<Path> executable(Path root, List<String> folders, String name) {
        return folders.stream()
                .flatMap(pattern -> matching(root, Path.of(pattern)))
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .map(found -> SYSTEM.resolve(root.relativize(found)))
                .findFirst();
    }

    /** The folders that match a relative path in which {@code *} stands for a part of one name; newest names first. */
    private static Stream<Path> matching(Path folder, Path pattern) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        String first = pattern.getName(0).toString();
        Stream<Path> found = first.contains("*") ? listing(folder, first) : Stream.of(folder.resolve(first));
        return pattern.getNameCount() == 1
                ? found
                : found.flatMap(next -> matching(next, pattern.subpath(1, pattern.getNameCount())));
    }

    private static Stream<Path> listing(Path folder, String glob) {
        var found = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(folder, glob)) {
            entries.forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.sort(Comparator.reverseOrder());
        return found.stream();
    }
}
