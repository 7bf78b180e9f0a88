package dev.deferred.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The name of a task, the same from the first answer to the last retry: the AMQP message-id.
 *
 * @param value 1 to 255 bytes of UTF-8; our own ids are UUIDs
 */
public record TaskId(String value) {
    /** The longest message-id AMQP can carry, in bytes of UTF-8. */
    public static final int MAX_BYTES = 255;

    public TaskId {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("a task id has 1 to " + MAX_BYTES + " bytes, not " + bytes);
        }
    }

    /**
     * A new id that sorts by time: a UUID version 7 (RFC 9562, 5.7).
     *
     * @param nowMillis epoch milliseconds, 0 to 2^48-1
     * @param random where its other 74 bits come from
     */
    public static TaskId generate(long nowMillis, RandomGenerator random) {
        long high = (nowMillis << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new TaskId(new UUID(high, low).toString());
    }

    /**
     * The id that belongs to a caller's key: always the same for the same key, so that a request sent twice is one task to
     * whoever drops repeats by id. A UUID version 8 (RFC 9562, 5.8) of the key's SHA-256.
     */
    public static TaskId ofKey(String key) {
        ByteBuffer digest;
        try {
            digest = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        long high = (digest.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long low = (digest.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new TaskId(new UUID(high, low).toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
