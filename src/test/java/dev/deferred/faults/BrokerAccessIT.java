package dev.deferred.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.deferred.testing.BrokerNode;
import dev.deferred.testing.BrokerOptions;
import dev.deferred.testing.FaultProxy;
import dev.deferred.testing.NeedsBrokerNode;
import dev.deferred.testing.Produced;
import dev.deferred.testing.Produced.Answer;
import dev.deferred.testing.ServiceProcess;
import dev.deferred.testing.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who the broker is to the service, and who the service is to the broker: TLS, virtual hosts, a password that must not show. */
@NeedsBrokerNode
class BrokerAccessIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PASSWORD = "S3cr3t/@:%";
    private static final String SECRET = "S3cr3t";

    @TempDir
    static Path folder;

    private static TlsIdentity localhost;
    private static BrokerNode broker;

    @BeforeAll
    static void start() {
        localhost = TlsIdentity.of("localhost", folder);
        broker = BrokerNode.start(BrokerOptions.defaults().withAdvancedConfig(localhost.advancedConfig()));
        broker.ctl("add_user", "shop", PASSWORD);
        broker.ctl("set_permissions", "shop", ".*", ".*", ".*");
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "prod/a", "ü"})
    void everyVirtualHostIsReachedAndThePasswordShowsNowhere(String virtualHost) throws Exception {
        if (!virtualHost.equals("/")) {
            broker.ctl("add_vhost", virtualHost);
            broker.ctl("set_permissions", "-p", virtualHost, "shop", ".*", ".*", ".*");
        }
        try (ServiceProcess service = plain(virtualHost, PASSWORD)) {
            await().atMost(LIMIT).until(service.http()::isReady);
            assertThat(post(service).answer()).isEqualTo(Answer.ACCEPTED);
            assertThat(broker.ctl("list_queues", "-p", virtualHost, "name")).contains("deferred.delay.1s");
            assertPasswordHidden(service);
        }
    }

    @Test
    void aPasswordThatIsRefusedShowsNowhereEither() throws Exception {
        try (ServiceProcess service = plain("/", SECRET + "wrong")) {
            awaitReadinessNaming(service, "authentication");
            Produced refused = post(service);
            assertThat(refused.answer()).isEqualTo(Answer.REFUSED);
            assertThat(refused.detail()).contains("503").doesNotContain(SECRET);
            assertPasswordHidden(service);
        }
    }

    @Test
    void aCertificateForTheHostThatIsAskedForIsTakenAndTasksGoThrough() {
        try (ServiceProcess service = withTls("localhost", localhost.port(), true)) {
            await().atMost(LIMIT).until(service.http()::isReady);
            for (int i = 0; i < 200; i++) {
                assertThat(post(service).answer()).isEqualTo(Answer.ACCEPTED);
            }
            assertThat(broker.ctl("list_connections", "ssl", "user")).contains("true\tshop");
        }
    }

    /** The same broker by its address, which its certificate does not name. */
    @Test
    void aCertificateForAnotherHostIsRefusedAndReadinessNamesTheMismatchAndTheLogOnce() throws Exception {
        String mismatch = "No subject alternative names matching IP address 127.0.0.1";
        try (FaultProxy proxy = FaultProxy.inFrontOf(localhost.port());
                ServiceProcess service = withTls("127.0.0.1", proxy.port(), true)) {
            awaitReadinessNaming(service, "TLS: no trusted connection to the broker at 127.0.0.1:");
            assertThat(service.http().get("/q/health/ready").body())
                    .contains(mismatch)
                    .contains("Check that its certificate names this host");
            assertThat(service.http().isReady()).isFalse();
            assertThat(post(service).answer()).isEqualTo(Answer.REFUSED);
            await().atMost(LIMIT).until(() -> proxy.connectionsAccepted() > 6);
            assertThat(service.log().lines().filter(line -> line.contains(" WARN ") || line.contains(" ERROR ")))
                    .filteredOn(line -> line.contains(mismatch))
                    .as("once for each of the two connections, however often they are tried")
                    .hasSize(2);
            assertPasswordHidden(service);
        }
    }

    @Test
    void aCertificateOfNoKnownAuthorityIsRefusedWhateverTheStockTrustAllSettingSays() throws Exception {
        try (ServiceProcess service = withTls("localhost", localhost.port(), false)) {
            awaitReadinessNaming(service, "comes from an authority in the JVM's trust store");
            assertThat(service.http().isReady()).isFalse();
        }
    }

    private static ServiceProcess plain(String virtualHost, String password) {
        return start(Map.of(
                "rabbitmq-host",
                broker.host(),
                "rabbitmq-port",
                String.valueOf(broker.port()),
                "rabbitmq-virtual-host",
                virtualHost,
                "rabbitmq-password",
                password));
    }

    private static ServiceProcess withTls(String host, int port, boolean trusted) {
        assumeTrue(localhost.isListenedFor(), "a node in a container does not show its TLS port outside");
        Map<String, String> settings = new HashMap<>(Map.of(
                "rabbitmq-host",
                host,
                "rabbitmq-port",
                String.valueOf(port),
                "rabbitmq-password",
                PASSWORD,
                "rabbitmq-ssl",
                "true",
                "rabbitmq-trust-all",
                "true"));
        if (trusted) {
            settings.put("javax.net.ssl.trustStore", localhost.store().toString());
            settings.put("javax.net.ssl.trustStorePassword", TlsIdentity.STORE_PASSWORD);
        }
        return start(settings);
    }

    private static ServiceProcess start(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("rabbitmq-username", "shop");
        all.put("deferred.tiers", FaultBench.TIERS);
        all.put("quarkus.log.level", "DEBUG");
        return ServiceProcess.start("broker-access-" + System.nanoTime(), all);
    }

    private static Produced post(ServiceProcess service) {
        return service.http().post("access", Duration.ofSeconds(1), "ref").join();
    }

    private static void awaitReadinessNaming(ServiceProcess service, String text) {
        await().atMost(LIMIT)
                .untilAsserted(() ->
                        assertThat(service.http().get("/q/health/ready").body()).contains(text));
    }

    private static void assertPasswordHidden(ServiceProcess service) throws IOException {
        assertThat(service.log()).contains("DEBUG").doesNotContain(SECRET);
        assertThat(service.http().get("/q/health").body()).doesNotContain(SECRET);
    }
}
