package dev.deferred.examples;

import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all examples have: a client of their own on the broker. */
abstract class Example {
    ApplicationsBroker broker;
    ForeignClient client;

    @BeforeEach
    void connect() throws Exception {
        Config config = ConfigProvider.getConfig();
        client = new ForeignClient(config);
    }

    @AfterEach
    void leave() throws Exception {
        client.close();
    }
}
