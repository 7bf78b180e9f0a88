package dev.deferred.http;

import dev.deferred.testing.Broker;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.HashMap;
import java.util.Map;

/** The same with classic queues. */
@QuarkusTest
@WithTestResource(Broker.class)
@TestProfile(ParkedClassicTest.Classic.class)
class ParkedClassicTest extends ParkedResourceTest {
    public static final class Classic extends OneAttempt {
        @Override
        public Map<String, String> getConfigOverrides() {
            Map<String, String> settings = new HashMap<>(super.getConfigOverrides());
            settings.put("deferred.queue-type", "classic");
            return settings;
        }
    }
}
