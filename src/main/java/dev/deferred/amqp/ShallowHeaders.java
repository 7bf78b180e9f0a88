package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.Frame;
import java.nio.ByteBuffer;

/**
 * Makes deeply nested headers shallow before the client reads them. The client reads a nested table by recursion, and each of
 * its bytes through all the tables around it: what a stranger nests 10,000 deep in one frame would stop the connection for half
 * a minute, at every delivery anew. What is nested too deep is turned into bytes where it stands; nothing else is touched.
 */
final class ShallowHeaders {
    /** How deep tables and lists are read: more than {@link ApplicationHeaders} lets pass. */
    static final int MOST_LEVELS = 100;

    /** Class, weight and size of the body stand before the flags that say which properties are there. */
    private static final int FLAGS_AT = 12;

    private static final int HAS_CONTENT_TYPE = 1 << 15;
    private static final int HAS_CONTENT_ENCODING = 1 << 14;
    private static final int HAS_HEADERS = 1 << 13;

    private final ByteBuffer payload;
    private final int[] ends = new int[MOST_LEVELS + 1];
    private final boolean[] tables = new boolean[MOST_LEVELS + 1];
    private int level;

    private ShallowHeaders(byte[] payload) {
        this.payload = ByteBuffer.wrap(payload);
    }

    /** Makes a frame shallow that came from the broker, in place. One that is malformed is left to the client. */
    static void in(Frame frame) {
        byte[] payload = frame.getPayload();
        if (frame.type == AMQP.FRAME_HEADER && payload.length > FLAGS_AT + 2) {
            new ShallowHeaders(payload).cut();
        }
    }

    private void cut() {
        int flags = payload.getShort(FLAGS_AT) & 0xFFFF;
        payload.position(FLAGS_AT + 2);
        if ((flags & HAS_HEADERS) == 0
                || ((flags & HAS_CONTENT_TYPE) != 0 && !skipName(payload.limit()))
                || ((flags & HAS_CONTENT_ENCODING) != 0 && !skipName(payload.limit()))
                || !enter(true, payload.limit())) {
            return;
        }
        boolean sound = true;
        while (sound && level >= 0) {
            if (payload.position() == ends[level]) {
                level--;
            } else {
                sound = next(ends[level]);
            }
        }
    }

    /** Goes past the next value, or into it; false when it is malformed. */
    private boolean next(int end) {
        if ((tables[level] && !skipName(end)) || payload.position() >= end) {
            return false;
        }
        int at = payload.position();
        byte type = payload.get();
        if (type != 'F' && type != 'A') {
            return skip(sizeOf(type, end), end);
        }
        if (level < MOST_LEVELS) {
            level++;
            return enter(type == 'F', end);
        }
        payload.put(at, (byte) 'x');
        return skip(sizeOf((byte) 'x', end), end);
    }

    private boolean enter(boolean table, int end) {
        int size = sizeOf((byte) 'x', end);
        if (size < 0 || size > end - payload.position()) {
            return false;
        }
        ends[level] = payload.position() + size;
        tables[level] = table;
        payload.getInt();
        return true;
    }

    private boolean skipName(int end) {
        return payload.position() < end && skip(1 + (payload.get(payload.position()) & 0xFF), end);
    }

    private boolean skip(int bytes, int end) {
        if (bytes < 0 || bytes > end - payload.position()) {
            return false;
        }
        payload.position(payload.position() + bytes);
        return true;
    }

    /** How many bytes a value takes after its type, its length included; negative when nobody knows. */
    private int sizeOf(byte type, int end) {
        return switch (type) {
            case 'V' -> 0;
            case 't', 'b', 'B' -> 1;
            case 's', 'u' -> 2;
            case 'I', 'i', 'f' -> 4;
            case 'D' -> 5;
            case 'l', 'd', 'T' -> 8;
            case 'S', 'x' -> {
                int length = end - payload.position() < 4 ? -1 : payload.getInt(payload.position());
                yield length < 0 || length > end - payload.position() - 4 ? -1 : 4 + length;
            }
            default -> -1;
        };
    }
}
