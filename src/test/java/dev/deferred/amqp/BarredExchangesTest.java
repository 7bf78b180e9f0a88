package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarredExchangesTest {
    private final AtomicLong now = new AtomicLong(-7);
    private final BarredExchanges barred = new BarredExchanges(now::get);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOT_FOUND - no exchange 'it's' in vhost '/'",
                "ACCESS_REFUSED - cannot publish to internal exchange 'it's' in vhost '/'",
                "ACCESS_REFUSED - access to exchange 'it's' in vhost '/' refused for user 'shop'",
                "ACCESS_REFUSED - write access to exchange 'it's' in vhost '/' refused for user 'shop'"
            })
    void theExchangeThatTheBrokerNamesIsFound(String said) {
        assertThat(BarredExchanges.named(closed(said), List.of("its", "it's so", "it's")))
                .contains("it's");
    }

    @Test
    void aLongNameIsFoundByItsBeginning() {
        String name = "n".repeat(255);
        String cut = "NOT_FOUND - no exchange '" + name.substring(0, 220) + "...";
        assertThat(BarredExchanges.named(closed(cut), List.of("n", name))).contains(name);
    }

    @Test
    void aChannelClosedForSomethingElseBarsNothing() {
        assertThat(BarredExchanges.named(closed("PRECONDITION_FAILED - invalid expiration '-1'"), List.of("", "a")))
                .isEmpty();
    }

    @Test
    void anExchangeIsBarredForFiveSecondsOrUntilItIsTakenOut() {
        barred.add("a", "missing");
        barred.add("b", "forbidden");
        now.addAndGet(BarredExchanges.REMEMBERED.toNanos() - 1);
        assertThat(barred.why("a")).contains("missing");
        barred.remove("a");
        assertThat(barred.why("a")).isEmpty();
        assertThat(barred.why("b")).contains("forbidden");
        now.incrementAndGet();
        assertThat(barred.why("b")).isEmpty();
        assertThat(barred.why("never named")).isEmpty();
    }

    private static ShutdownSignalException closed(String said) {
        AMQP.Channel.Close close =
                new AMQP.Channel.Close.Builder().replyCode(404).replyText(said).build();
        return new ShutdownSignalException(false, false, close, null);
    }
}
