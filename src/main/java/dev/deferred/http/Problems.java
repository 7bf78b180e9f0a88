package dev.deferred.http;

import dev.deferred.core.Excerpt;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.Response.Status;
import java.net.URI;

/** Problems as this service writes them (RFC 9457): what is wrong, and what to do. Text of callers is shown cut and cleaned. */
public final class Problems {
    private static final URI NO_TYPE = URI.create("about:blank");
    private static final int SHOWN = 60;

    private Problems() {}

    /** A problem whose title is the status' own. */
    public static HttpProblem.Builder problem(int status, String detail) {
        return HttpProblem.builder()
                .withType(NO_TYPE)
                .withStatus(status)
                .withTitle(Status.fromStatusCode(status).getReasonPhrase())
                .withDetail(clean(detail));
    }

    /** At most 60 characters of a caller's text. */
    public static String shown(String text) {
        return clean(Excerpt.of(text, SHOWN));
    }

    /** The text without control characters and halves of surrogate pairs, which can't be written or would disturb a reader. */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> Character.isISOControl(point) || isHalf(point) ? '\uFFFD' : point)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private static boolean isHalf(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
