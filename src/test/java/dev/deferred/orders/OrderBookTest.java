package dev.deferred.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deferred.orders.Order.State;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OrderBookTest {
    private final OrderBook orders = new OrderBook();

    private static Order order(int number) {
        return new Order("%06d".formatted(number), "book", BigDecimal.TEN, State.OPEN, Instant.EPOCH);
    }

    private static State state(Optional<Order> order) {
        return order.orElseThrow().state();
    }

    @Test
    void whatCameFirstStays() {
        orders.add(order(1));
        assertThat(state(orders.pay("000001"))).isEqualTo(State.PAID);
        assertThat(state(orders.close("000001"))).isEqualTo(State.PAID);
        orders.add(order(2));
        assertThat(state(orders.close("000002"))).isEqualTo(State.CLOSED);
        assertThat(state(orders.pay("000002"))).isEqualTo(State.CLOSED);
        assertThat(state(orders.close("000002"))).isEqualTo(State.CLOSED);
    }

    @Test
    void whatIsNotThereCantBeSettled() {
        assertThat(orders.pay("none")).isEmpty();
        assertThat(orders.close("none")).isEmpty();
    }

    @Test
    void payingAndClosingAtOnceAgreeOnOneEnd() {
        for (int i = 0; i < 1_000; i++) {
            String id = order(i).id();
            orders.add(order(i));
            CompletableFuture<State> paid = CompletableFuture.supplyAsync(() -> state(orders.pay(id)));
            State closed = state(orders.close(id));
            assertThat(paid.join()).isEqualTo(closed).isEqualTo(state(orders.find(id)));
        }
    }

    @Test
    void aFullBookForgetsTheOldestSettledOrderAndNoOpenOne() {
        for (int i = 0; i < OrderBook.CAPACITY; i++) {
            assertThat(orders.add(order(i))).isTrue();
        }
        assertThat(orders.add(order(OrderBook.CAPACITY))).isFalse();
        orders.pay("000007");
        orders.close("000005");
        assertThat(orders.add(order(OrderBook.CAPACITY))).isTrue();
        assertThat(orders.find("000005")).isEmpty();
        assertThat(orders.find("000007")).isPresent();
        assertThat(orders.find("000000")).isPresent();
    }
}
