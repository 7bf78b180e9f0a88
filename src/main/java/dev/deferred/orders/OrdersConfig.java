package dev.deferred.orders;

import dev.deferred.scheduling.DelayConverter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The example's setting. */
@ConfigMapping(prefix = "orders")
interface OrdersConfig {
    /** How long an order may stay unpaid when it does not say so itself. Written as delays are, from 0s to 30d. */
    @WithDefault("30m")
    @WithConverter(DelayConverter.class)
    Duration paymentTime();
}
