package dev.deferred.http;

/** A request that is refused without regard to any task. */
final class RequestRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What stands in the way, and the status that says so. */
    enum Fault {
        MALFORMED(400),
        NO_RECORD(404),
        TOO_SLOW(408),
        TOO_LARGE(413),
        URI_TOO_LONG(414),
        UNSUPPORTED(415),
        HEADERS_TOO_LARGE(431),
        NO_TASK(409),
        BROKER_AWAY(503),
        QUEUE_IN_USE(503),
        STOPPING(503);

        private final int status;

        Fault(int status) {
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    private final Fault fault;

    RequestRefused(Fault fault, String text) {
        // an expected outcome: no stack trace, no suppression
        super(text, null, false, false);
        this.fault = fault;
    }

    static RequestRefused malformed(String text) {
        return new RequestRefused(Fault.MALFORMED, text);
    }

    static RequestRefused brokerAway() {
        return new RequestRefused(
                Fault.BROKER_AWAY, "the broker does not answer; ask again when /q/health/ready says that it is back");
    }

    Fault fault() {
        return fault;
    }
}
