package dev.deferred.scheduling;

/** A task that can't be accepted as it is: which field, which limit, and what to do. */
public final class InvalidTask extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;

    public InvalidTask(String field, String text) {
        super(text, null, false, false);
        this.field = field;
    }

    /** The field at fault, such as {@code delay}. */
    public String field() {
        return field;
    }
}
