package dev.deferred.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.deferred.core.Excerpt;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Why the broker can't be used right now, in words for an operator: what was expected, what was found, what to do.
 *
 * @param kind what sort of trouble
 * @param text the sentences; never contains a secret
 */
record BrokerProblem(Kind kind, String text) {
    enum Kind {
        /** Nobody answers, or the connection broke. */
        UNREACHABLE,
        /** The broker refuses the user, the virtual host, or a permission. */
        ACCESS,
        /** An object exists with other arguments than ours, or is missing and may not be declared. */
        TOPOLOGY,
        /** The broker takes no messages: a memory or disk alarm. */
        BLOCKED
    }

    private static final Pattern INEQUIVALENT = Pattern.compile(
            "inequivalent arg '([^']+)' for (exchange|queue) '([^']+)' in vhost '([^']*)': received (.+?) but current is (.+?)(?:, class-id.*|$)");

    static BrokerProblem of(Throwable failure, BrokerSettings settings) {
        if (failure instanceof AuthenticationFailureException
                || failure instanceof PossibleAuthenticationFailureException) {
            return new BrokerProblem(
                    Kind.ACCESS,
                    "authentication: the broker at " + settings.where() + " refuses the user \"" + settings.username()
                            + "\". Check rabbitmq-username and rabbitmq-password.");
        }
        ShutdownSignalException shutdown = find(failure, ShutdownSignalException.class);
        if (shutdown != null) {
            return ofShutdown(shutdown, settings);
        }
        if (find(failure, SSLException.class) != null) {
            return new BrokerProblem(
                    Kind.UNREACHABLE,
                    "TLS: no trusted connection to the broker at " + settings.where() + " (" + oneLine(failure)
                            + "). Check that its certificate names this host and comes from an authority in the JVM's trust store.");
        }
        return new BrokerProblem(
                Kind.UNREACHABLE,
                "no connection to the broker at " + settings.where() + " (" + oneLine(failure)
                        + "). Check rabbitmq-host and rabbitmq-port, and that the broker runs.");
    }

    private static BrokerProblem ofShutdown(ShutdownSignalException shutdown, BrokerSettings settings) {
        String said = said(shutdown);
        Matcher mismatch = INEQUIVALENT.matcher(said);
        if (mismatch.find()) {
            return new BrokerProblem(
                    Kind.TOPOLOGY,
                    "the " + mismatch.group(2) + " \"" + mismatch.group(3) + "\" exists with another "
                            + mismatch.group(1)
                            + ": expected " + mismatch.group(5) + ", found " + mismatch.group(6) + typeHint(mismatch)
                            + ". Empty and delete it on the broker, or choose another deferred.prefix.");
        }
        int code = replyCode(shutdown);
        return switch (code) {
            case AMQP.ACCESS_REFUSED ->
                new BrokerProblem(
                        Kind.ACCESS,
                        "permission: the broker refuses the user \"" + settings.username() + "\" on virtual host \""
                                + settings.virtualHost() + "\" (" + said
                                + "). Grant it, or declare the topology yourself and set deferred.declare=false.");
            case AMQP.NOT_ALLOWED, AMQP.INVALID_PATH ->
                new BrokerProblem(
                        Kind.ACCESS,
                        "the broker refuses virtual host \"" + settings.virtualHost() + "\" to the user \""
                                + settings.username() + "\" (" + said
                                + "). Check rabbitmq-virtual-host and the user's permissions on it.");
            case AMQP.PRECONDITION_FAILED, AMQP.NOT_FOUND, AMQP.RESOURCE_LOCKED ->
                new BrokerProblem(
                        Kind.TOPOLOGY,
                        "an exchange or queue is not as expected (" + said
                                + "). Make it as docs/topology.md says, or let the service make it with deferred.declare=true.");
            default ->
                new BrokerProblem(
                        Kind.UNREACHABLE,
                        "the connection to the broker at " + settings.where() + " ended (" + said + ").");
        };
    }

    private static String typeHint(Matcher mismatch) {
        String digitsExpected = mismatch.group(5).replaceAll("\\D", "");
        String digitsFound = mismatch.group(6).replaceAll("\\D", "");
        return !digitsExpected.isEmpty() && digitsExpected.equals(digitsFound)
                ? " (the same number, but of another type: text where a number is needed)"
                : "";
    }

    /** What the broker said when it closed a channel or connection, in one line: it may name what a stranger named. */
    static String said(ShutdownSignalException shutdown) {
        return Excerpt.of(verbatim(shutdown), MessageLimits.SHORT_TEXT);
    }

    /** The same to the letter. */
    static String verbatim(ShutdownSignalException shutdown) {
        Object reason = shutdown.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyText();
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return close.getReplyText();
        }
        return shutdown.getCause() == null ? "connection closed" : oneLine(shutdown.getCause());
    }

    /** Whether the broker closed a channel because an object does not exist. */
    static boolean isMissing(ShutdownSignalException shutdown) {
        return replyCode(shutdown) == AMQP.NOT_FOUND;
    }

    private static int replyCode(ShutdownSignalException shutdown) {
        Object reason = shutdown.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
    }

    private static <T extends Throwable> T find(Throwable failure, Class<T> type) {
        for (Throwable at = failure; at != null; at = at.getCause() == at ? null : at.getCause()) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
        }
        return null;
    }

    private static String oneLine(Throwable failure) {
        String text = failure instanceof IOException && failure.getMessage() == null && failure.getCause() != null
                ? failure.getCause().toString()
                : failure.toString();
        return text.replaceAll("\\s+", " ");
    }
}
