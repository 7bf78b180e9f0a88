package dev.deferred.orders;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * An order. It is open until it is paid or closed, and then stays so.
 *
 * @param payBy when it is closed if still unpaid
 */
@RegisterForReflection
record Order(
        String id,
        String item,
        @JsonFormat(shape = JsonFormat.Shape.NUMBER) BigDecimal amount,
        State state,
        Instant payBy) {
    /** Where an order stands. */
    enum State {
        @JsonProperty("open")
        OPEN,
        @JsonProperty("paid")
        PAID,
        @JsonProperty("closed")
        CLOSED
    }

    /** This order in that state when it is still open; otherwise this order as it is. */
    Order ifOpen(State next) {
        return state == State.OPEN ? new Order(id, item, amount, next, payBy) : this;
    }
}
