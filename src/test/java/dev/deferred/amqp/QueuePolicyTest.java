package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueuePolicyTest {
    private static final String TIER =
            "'x-message-ttl':1000,'x-dead-letter-exchange':'deferred.in','x-overflow':'reject-publish'";
    private static final String DUE =
            "'x-dead-letter-exchange':'deferred.parked','x-overflow':'reject-publish','x-delivery-limit':100";

    @ParameterizedTest
    @CsvSource({
        "expires, 60000",
        "message-ttl, 999",
        "max-length, 5",
        "max-length-bytes, 5000",
        "dead-letter-routing-key, 'elsewhere'"
    })
    void whatIsAddedToATierIsHarm(String key, String value) throws IOException {
        assertThat(policy(TIER, key, value).harms())
                .singleElement()
                .asString()
                .startsWith("policy \"broad\": " + key + "=" + value);
    }

    @ParameterizedTest
    @CsvSource({
        "message-ttl, 1000",
        "message-ttl, 60000",
        "overflow, drop-head",
        "dead-letter-exchange, elsewhere",
        "delivery-limit, 20",
        "queue-leader-locator, balanced"
    })
    void whatTheArgumentsOfATierOutweighIsNone(String key, String value) throws IOException {
        assertThat(policy(TIER, key, value).harms()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"99, 1", "100, 0", "101, 0"})
    void aDeliveryLimitIsHarmWhenItIsBelowOurs(int limit, int harms) throws IOException {
        assertThat(policy(DUE, "delivery-limit", String.valueOf(limit)).harms()).hasSize(harms);
    }

    @ParameterizedTest
    @CsvSource({"message-ttl, 1000", "overflow, drop-head", "dead-letter-exchange, elsewhere"})
    void whatAQueueWithoutArgumentsIsGivenIsHarm(String key, String value) throws IOException {
        assertThat(policy("", key, value).harms()).hasSize(1);
    }

    @Test
    void aQueueWhosePolicyIsNotKnownYetHasNone() throws IOException {
        assertThat(read("{'name':'deferred.due','arguments':{}}").harms()).isEmpty();
    }

    @Test
    void anOperatorPolicyIsNamedAsOne() throws IOException {
        QueuePolicy both = read("{'name':'q','arguments':{},'policy':'mine','operator_policy':'caps',"
                + "'effective_policy_definition':{'expires':1}}");
        assertThat(both.from()).isEqualTo("policy \"mine\" and operator policy \"caps\"");
    }

    private static QueuePolicy policy(String arguments, String key, String value) throws IOException {
        String json = value.matches("\\d+") ? value : "'" + value + "'";
        return read("{'name':'q','arguments':{" + arguments + "},'policy':'broad','operator_policy':null,"
                + "'effective_policy_definition':{'" + key + "':" + json + "}}");
    }

    private static QueuePolicy read(String singleQuoted) throws IOException {
        return QueuePolicy.of(new ObjectMapper().readTree(singleQuoted.replace('\'', '"')));
    }
}
