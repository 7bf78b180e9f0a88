package dev.deferred.testing;

import io.quarkus.bootstrap.app.AugmentResult;
import io.quarkus.bootstrap.app.QuarkusBootstrap;
import io.quarkus.paths.PathList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.stream.Stream;

/** Packages the service with handlers of a test's own, so that their process can be killed. */
public final class ServiceWithHandlers {
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path TEST_CLASSES = Path.of("target/test-classes");

    private ServiceWithHandlers() {}

    /**
     * Packages the service with all classes of one package of the tests.
     *
     * @return the jar to run
     */
    public static Path packaged(Package handlers) throws Exception {
        Path target = Files.createDirectories(
                Path.of("target", "service-with-" + handlers.getName().replace('.', '-'))
                        .toAbsolutePath());
        Path extra = target.resolve("handlers");
        copy(Path.of(handlers.getName().replace('.', '/')), extra);
        AugmentResult result = QuarkusBootstrap.builder()
                .setApplicationRoot(PathList.of(CLASSES.toAbsolutePath(), extra))
                .setProjectRoot(Path.of("").toAbsolutePath())
                .setTargetDirectory(target)
                .setMode(QuarkusBootstrap.Mode.PROD)
                .setLocalProjectDiscovery(true)
                .setBuildSystemProperties(new Properties())
                .setBaseName("service")
                .build()
                .bootstrap()
                .createAugmentor()
                .createProductionApplication();
        return result.getJar().getPath();
    }

    private static void copy(Path folder, Path to) throws IOException {
        Path into = Files.createDirectories(to.resolve(folder));
        try (Stream<Path> files = Files.list(TEST_CLASSES.resolve(folder))) {
            for (Path file : files.toList()) {
                Files.copy(file, into.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
