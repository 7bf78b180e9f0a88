package dev.deferred.testing;

import java.util.List;
import java.util.stream.Stream;

/**
 * How a {@link BrokerNode} is configured, beyond the ports and folders that it chooses by itself.
 *
 * @param conf lines appended to {@code rabbitmq.conf}
 * @param advancedConfig the Erlang terms of {@code advanced.config}, one list with its full stop
 * @param plugins the plugins to enable, without those they depend on
 */
public record BrokerOptions(List<String> conf, String advancedConfig, List<String> plugins) {

    /**
     * Lets at-least-once dead-lettering try again after 5 s where a crash swallowed a confirm; the broker's own 180 s
     * would make every test of a crash wait that long.
     */
    public static final String QUICK_DEAD_LETTER_RETRY =
            "[{rabbit, [{dead_letter_worker_publisher_confirm_timeout, 5000}]}].";

    public BrokerOptions {
        conf = List.copyOf(conf);
        plugins = List.copyOf(plugins);
    }

    /** No further lines, no plugins, {@link #QUICK_DEAD_LETTER_RETRY}. */
    public static BrokerOptions defaults() {
        return new BrokerOptions(List.of(), QUICK_DEAD_LETTER_RETRY, List.of());
    }

    /** Also these lines of {@code rabbitmq.conf}, such as {@code vm_memory_high_watermark.relative = 0.00001}. */
    public BrokerOptions withConf(String... lines) {
        return new BrokerOptions(append(conf, lines), advancedConfig, plugins);
    }

    /** This {@code advanced.config} in place of {@link #QUICK_DEAD_LETTER_RETRY}, which it should repeat. */
    public BrokerOptions withAdvancedConfig(String terms) {
        return new BrokerOptions(conf, terms, plugins);
    }

    /** Also these plugins, such as {@code rabbitmq_management}. */
    public BrokerOptions withPlugins(String... names) {
        return new BrokerOptions(conf, advancedConfig, append(plugins, names));
    }

    boolean management() {
        return plugins.contains("rabbitmq_management");
    }

    String enabledPlugins() {
        return "[" + String.join(",", plugins) + "].\n";
    }

    private static List<String> append(List<String> before, String... more) {
        return Stream.concat(before.stream(), Stream.of(more)).toList();
    }
}
