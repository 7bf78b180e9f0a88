package dev.deferred.orders;

import dev.deferred.orders.Order.State;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The orders, in memory only: they are gone when the service ends, and each process has its own. A real shop keeps them in a
 * database, where a transition is {@code UPDATE orders SET state = 'closed' WHERE id = ? AND state = 'open'}.
 */
@ApplicationScoped
class OrderBook {
    /** How many orders are kept; beyond that, the oldest that is paid or closed makes room. */
    static final int CAPACITY = 10_000;

    /** By id; ids sort by time. */
    private final Map<String, Order> orders = new ConcurrentSkipListMap<>();

    /** Adds an order; false when there is no room because all are open. */
    boolean add(Order order) {
        if (orders.size() >= CAPACITY && !makeRoom()) {
            return false;
        }
        orders.put(order.id(), order);
        return true;
    }

    private boolean makeRoom() {
        return orders.values().stream()
                .filter(order -> order.state() != State.OPEN)
                .findFirst()
                .map(oldest -> orders.remove(oldest.id(), oldest))
                .orElse(false);
    }

    void remove(String id) {
        orders.remove(id);
    }

    Optional<Order> find(String id) {
        return Optional.ofNullable(orders.get(id));
    }

    /** Pays an order that is open, in one atomic step; returns the order as it is then. */
    Optional<Order> pay(String id) {
        return settle(id, State.PAID);
    }

    /** Closes an order that is open, in one atomic step; returns the order as it is then. */
    Optional<Order> close(String id) {
        return settle(id, State.CLOSED);
    }

    private Optional<Order> settle(String id, State next) {
        return Optional.ofNullable(orders.computeIfPresent(id, (same, order) -> order.ifOpen(next)));
    }
}
