package dev.deferred.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A task's content: bytes that are handed on untouched, and what they are.
 */
public final class Payload {
    /** The content type of JSON. */
    public static final String JSON = "application/json";

    private final byte[] bytes;
    private final String contentType;

    private Payload(byte[] bytes, String contentType) {
        this.bytes = bytes;
        this.contentType = contentType;
    }

    /**
     * A payload of any kind.
     *
     * @param bytes the content, 0 bytes or more; not copied: don't change it afterwards
     * @param contentType a media type such as {@code application/json}; empty when nobody said
     */
    public static Payload of(byte[] bytes, String contentType) {
        return new Payload(bytes, contentType);
    }

    /** JSON text, as UTF-8. */
    public static Payload json(String text) {
        return new Payload(text.getBytes(StandardCharsets.UTF_8), JSON);
    }

    /** The content itself, not a copy: don't change it. */
    public byte[] bytes() {
        return bytes;
    }

    public String contentType() {
        return contentType;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && contentType.equals(that.contentType)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * contentType.hashCode() + Arrays.hashCode(bytes);
    }

    /** Says the size, never the content: payloads stay out of logs. */
    @Override
    public String toString() {
        return bytes.length + " bytes of " + contentType;
    }
}
