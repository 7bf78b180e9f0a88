package dev.deferred.scheduling;

import dev.deferred.core.Delays;
import java.time.Duration;
import org.eclipse.microprofile.config.spi.Converter;

/** Reads a delay in the configuration as everywhere else: {@code 30s}, {@code 1h30m}, {@code PT30M}. */
public class DelayConverter implements Converter<Duration> {
    private static final long serialVersionUID = 1L;

    @Override
    public Duration convert(String value) {
        return Delays.parse(value.strip());
    }
}
