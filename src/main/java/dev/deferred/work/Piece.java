package dev.deferred.work;

import dev.deferred.core.Task;
import dev.deferred.scheduling.Settlement;
import dev.deferred.work.HandlerRegistry.Registered;
import org.eclipse.microprofile.reactive.messaging.Message;

/** One task in hand: the message by which it can be settled, and how far its work has come. */
final class Piece {
    private enum State {
        WAITING,
        RUNNING,
        RETURNED,
        ENDED
    }

    private final InHand.Key key;
    private final Task task;
    private final Registered<?> registered;
    private Message<byte[]> message;
    private State state = State.WAITING;
    private Verdict verdict;
    private boolean published;

    Piece(InHand.Key key, Message<byte[]> message, Task task, Registered<?> registered) {
        this.key = key;
        this.message = message;
        this.task = task;
        this.registered = registered;
    }

    InHand.Key key() {
        return key;
    }

    Task task() {
        return task;
    }

    Registered<?> registered() {
        return registered;
    }

    synchronized Message<byte[]> message() {
        return message;
    }

    synchronized Verdict verdict() {
        return verdict;
    }

    synchronized boolean isOurs() {
        return Settlement.isOurs(message);
    }

    /**
     * Its turn has come. False when its message went meanwhile, for then it comes again, here or elsewhere; and when its turn
     * came before.
     */
    synchronized boolean begin() {
        if (state != State.WAITING) {
            return false;
        }
        state = isOurs() ? State.RUNNING : State.RETURNED;
        return state == State.RUNNING;
    }

    /** Its work is over. */
    synchronized void end(Verdict reached) {
        verdict = reached;
        state = State.ENDED;
    }

    /** The verdict's message is confirmed: what is left is to acknowledge. */
    synchronized void publish() {
        published = true;
    }

    synchronized boolean isPublished() {
        return published;
    }

    /** It was delivered again, after the channel that delivered it before went. */
    synchronized InHand.How deliveredAgain(Message<byte[]> again) {
        message = again;
        return switch (state) {
            case WAITING, RUNNING -> InHand.How.JOINED;
            case ENDED -> InHand.How.ENDED;
            case RETURNED -> {
                state = State.WAITING;
                yield InHand.How.UNTOUCHED;
            }
        };
    }
}
