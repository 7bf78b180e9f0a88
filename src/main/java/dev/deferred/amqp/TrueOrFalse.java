package dev.deferred.amqp;

import java.util.Locale;
import java.util.Set;
import org.eclipse.microprofile.config.spi.Converter;

/** Reads a setting that is on or off. The usual reader takes whatever it doesn't know for off, a misspelt "true" too. */
public final class TrueOrFalse implements Converter<Boolean> {
    private static final long serialVersionUID = 1L;
    private static final Set<String> TRUE = Set.of("true", "yes", "y", "on", "1");
    private static final Set<String> FALSE = Set.of("false", "no", "n", "off", "0");

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException when it is neither
     */
    @Override
    public Boolean convert(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (!TRUE.contains(word) && !FALSE.contains(word)) {
            throw new IllegalArgumentException("is neither true nor false");
        }
        return TRUE.contains(word);
    }
}
