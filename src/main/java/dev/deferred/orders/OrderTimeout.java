package dev.deferred.orders;

import dev.deferred.core.Excerpt;
import dev.deferred.core.Outcome;
import dev.deferred.core.Task;
import dev.deferred.work.TaskHandler;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.jboss.logging.Logger;

/** Closes an order that is still unpaid when its time is up. Run twice, it does the same as once. */
@ApplicationScoped
@NonBlocking
class OrderTimeout implements TaskHandler<OrderTimeout.Check> {
    static final String TYPE = "order-timeout";

    private static final Logger LOG = Logger.getLogger(OrderTimeout.class);

    /**
     * Which order to look at.
     *
     * @param orderId the order's id
     */
    @RegisterForReflection
    record Check(String orderId) {}

    private final OrderBook orders;

    @Inject
    OrderTimeout(OrderBook orders) {
        this.orders = orders;
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Class<Check> payloadType() {
        return Check.class;
    }

    @Override
    public Uni<Outcome> handle(Check check, Task task) {
        if (check.orderId() == null) {
            return Uni.createFrom().item(Outcome.park("the payload names no orderId"));
        }
        orders.close(check.orderId())
                .ifPresentOrElse(
                        order -> LOG.infof("order %s is %s after its time to pay", order.id(), order.state()),
                        () -> LOG.infof("no order %s: nothing to close", Excerpt.quoted(check.orderId())));
        return Uni.createFrom().item(Outcome.done());
    }
}
