package dev.deferred.orders;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import dev.deferred.testing.Broker;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example on a real broker. */
@QuarkusTest
@WithTestResource(Broker.class)
class OrdersTest {
    private static final Duration AT_MOST = Duration.ofSeconds(15);

    @BeforeEach
    void waitForTheBroker() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> given().get("/q/health/ready").statusCode() == 200);
    }

    private static ValidatableResponse post(String body) {
        return given().contentType("application/json")
                .body(body.replace('\'', '"'))
                .post("/orders")
                .then();
    }

    private static String place(String payWithin) {
        return post("{'item':'book','amount':12.50,'payWithin':'" + payWithin + "'}")
                .statusCode(201)
                .body("state", equalTo("open"))
                .body("payBy", notNullValue())
                .extract()
                .path("id");
    }

    private static String state(String id) {
        return given().get("/orders/" + id).then().statusCode(200).extract().path("state");
    }

    @Test
    void anUnpaidOrderIsClosedAndCantBePaidAnyMore() {
        String id = place("1s");
        await().atMost(AT_MOST).until(() -> state(id).equals("closed"));
        given().post("/orders/" + id + "/pay")
                .then()
                .statusCode(409)
                .contentType("application/problem+json")
                .body("detail", notNullValue());
    }

    @Test
    void aPaidOrderStaysPaidThroughItsTimeout() {
        String id = place("1s");
        given().post("/orders/" + id + "/pay").then().statusCode(200).body("state", equalTo("paid"));
        given().post("/orders/" + id + "/pay").then().statusCode(200).body("state", equalTo("paid"));
        // placed later with the same time to pay, so its time-out comes later
        String later = place("1s");
        await().atMost(AT_MOST).until(() -> state(later).equals("closed"));
        org.assertj.core.api.Assertions.assertThat(state(id)).isEqualTo("paid");
    }

    @Test
    void anOrderThatHasNoTimeIsClosedAtOnce() {
        String id = place("0s");
        await().atMost(AT_MOST).until(() -> state(id).equals("closed"));
    }

    @Test
    void anOrderThatNobodyPlacedIsUnknown() {
        given().get("/orders/none").then().statusCode(404).contentType("application/problem+json");
        given().post("/orders/none/pay").then().statusCode(404).contentType("application/problem+json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'item':'book'}                                      | amount",
                "{'amount':1}                                         | item",
                "{'item':' ','amount':1}                              | item",
                "{'item':'book','amount':0}                           | amount",
                "{'item':'book','amount':1000001}                     | amount",
                "{'item':'book','amount':1e999999999}                 | amount",
                "{'item':'book','amount':1.005}                       | amount",
                "{'item':'book','amount':1,'payWithin':'soon'}        | payWithin",
                "{'item':'book','amount':1,'payWithin':'30d1ms'}      | payWithin"
            })
    void anOrderThatCantBeMeantIsRefused(String body, String field) {
        post(body).statusCode(400).contentType("application/problem+json").body("field", equalTo(field));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''",
                "null",
                "[]",
                "{",
                "{'item':{},'amount':1}",
                "{'item':'a','amount':1,'paywithin':'5s'}",
                "{}{}"
            })
    void whatIsNoOrderIsRefused(String body) {
        post(body).statusCode(400).contentType("application/problem+json").body("detail", notNullValue());
    }
}
