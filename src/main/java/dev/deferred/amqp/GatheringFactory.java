package dev.deferred.amqp;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.FrameHandler;
import com.rabbitmq.client.impl.FrameHandlerFactory;
import com.rabbitmq.client.impl.SocketFrameHandler;
import com.rabbitmq.client.impl.SocketFrameHandlerFactory;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ExecutorService;

/**
 * The client's factory, except that one thread may gather what it writes: the client flushes its buffer after every message,
 * which costs a system call each. What is gathered leaves with {@link #flush}, or with whatever is flushed before. What comes
 * in has {@linkplain ShallowHeaders shallow headers}. For one connection at a time.
 */
final class GatheringFactory extends ConnectionFactory {
    /** The client's own limit of what a broker may send in one message, in bytes. */
    private static final int MAX_BODY = 64 * 1_024 * 1_024;

    private volatile ExecutorService closing;
    private volatile Thread gathering;
    private volatile FrameHandler current;

    @Override
    public void setShutdownExecutor(ExecutorService executor) {
        super.setShutdownExecutor(executor);
        closing = executor;
    }

    /** From now on the client's flushes on the calling thread do nothing; nothing that waits for an answer may be written. */
    void gather() {
        gathering = Thread.currentThread();
    }

    /** The end of {@link #gather}; what was written still waits. */
    void gathered() {
        gathering = null;
    }

    /** Sends what was gathered, if anything. */
    void flush() throws IOException {
        FrameHandler handler = current;
        if (handler != null) {
            handler.flush();
        }
    }

    @Override
    protected synchronized FrameHandlerFactory createFrameHandlerFactory() {
        return new SocketFrameHandlerFactory(
                getConnectionTimeout(), getSocketFactory(), getSocketConfigurator(), isSSL(), closing) {
            @Override
            public FrameHandler create(Socket socket) throws IOException {
                FrameHandler fresh = new Gathering(socket);
                current = fresh;
                return fresh;
            }
        };
    }

    private final class Gathering extends SocketFrameHandler {
        Gathering(Socket socket) throws IOException {
            super(socket, closing, MAX_BODY);
        }

        @Override
        public Frame readFrame() throws IOException {
            Frame frame = super.readFrame();
            if (frame != null) {
                ShallowHeaders.in(frame);
            }
            return frame;
        }

        @Override
        public void flush() throws IOException {
            if (Thread.currentThread() != gathering) {
                super.flush();
            }
        }
    }
}
