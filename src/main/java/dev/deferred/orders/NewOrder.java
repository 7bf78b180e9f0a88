package dev.deferred.orders;

import dev.deferred.core.Delays;
import dev.deferred.http.Problems;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.math.BigDecimal;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What is ordered. */
@RegisterForReflection
record NewOrder(
        @Schema(description = "1 to 100 characters", examples = "book", required = true) String item,
        @Schema(
                        description = "More than 0, at most 1000000, with up to two decimals",
                        examples = "12.50",
                        required = true)
                BigDecimal amount,
        @Schema(
                        description =
                                "How long it may stay unpaid, written as a task's delay: 0s to 30d. orders.payment-time when absent",
                        examples = "5s")
                String payWithin) {
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000);
    private static final int ITEM_LENGTH = 100;

    /** Refuses an order that can't be meant. */
    void check() {
        require(
                item != null && !item.isBlank() && item.length() <= ITEM_LENGTH,
                "item",
                "must have 1 to 100 characters");
        require(
                amount != null && amount.signum() > 0 && amount.compareTo(MOST) <= 0 && amount.scale() <= 2,
                "amount",
                "must be more than 0, at most 1000000, with up to two decimals");
    }

    /** How long it may stay unpaid. */
    Duration paymentTime(Duration otherwise) {
        if (payWithin == null) {
            return otherwise;
        }
        Duration time;
        try {
            time = Delays.parse(payWithin);
        } catch (IllegalArgumentException e) {
            throw refusal("payWithin", e.getMessage());
        }
        require(time.compareTo(LONGEST) <= 0, "payWithin", "must be at most 30d");
        return time;
    }

    private static void require(boolean right, String field, String rule) {
        if (!right) {
            throw refusal(field, rule);
        }
    }

    private static HttpProblem refusal(String field, String rule) {
        return Problems.problem(400, field + " " + rule).with("field", field).build();
    }
}
