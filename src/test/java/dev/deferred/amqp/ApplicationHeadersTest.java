package dev.deferred.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationHeadersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-death",
                "x-death-more",
                "x-first-death-queue",
                "x-first-death-reason",
                "x-first-death-exchange",
                "x-last-death-queue",
                "x-delivery-count",
                "x-acquired-count",
                "CC",
                "BCC",
                "x-delay",
                "x-opt-delivery",
                "deferred-due-at",
                "deferred-attempt",
                "deferred-whatever",
                "chosen-by-setting"
            })
    void whatSteersABrokerOrIsOursStaysBehind(String name) {
        assertThat(ApplicationHeaders.in(Map.of(name, 1, "mine", 2), Set.of("chosen-by-setting")))
                .isEqualTo(Map.of("mine", 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cc", "x-mine", "X-Death", "traceparent", "deferred", "é", "x-delayed-for"})
    void everythingElseIsTheApplications(String name) {
        assertThat(ApplicationHeaders.in(Map.of(name, 1), Set.of())).isEqualTo(Map.of(name, 1));
    }

    @Test
    void aHeaderWithoutAValueIsKept() {
        Map<String, Object> found = new HashMap<>();
        found.put("nothing", null);
        assertThat(ApplicationHeaders.in(found, Set.of())).isEqualTo(found);
        assertThat(ApplicationHeaders.fault(found)).isEmpty();
    }

    @Test
    void theSizeHasALimit() {
        // name 1+1, type 1, length 4
        int most = ApplicationHeaders.MOST_BYTES - 7;
        assertThat(ApplicationHeaders.fault(Map.of("n", "x".repeat(most)))).isEmpty();
        assertThat(ApplicationHeaders.fault(Map.of("n", "x".repeat(most + 1))))
                .hasValueSatisfying(
                        fault -> assertThat(fault).contains("32769 bytes", "the limit is 32768", "into the body"));
        assertThat(ApplicationHeaders.fault(Map.of())).isEmpty();
    }

    private static Object nested(int levels, boolean inLists) {
        Object nested = 1;
        for (int i = 0; i < levels; i++) {
            nested = inLists ? List.of(nested) : Map.of("a", nested);
        }
        return nested;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theDepthHasALimit(boolean inLists) {
        assertThat(ApplicationHeaders.fault(Map.of("n", nested(49, inLists)))).isEmpty();
        for (int levels : new int[] {50, 10_000}) {
            assertThat(ApplicationHeaders.fault(Map.of("n", nested(levels, inLists))))
                    .hasValueSatisfying(fault -> assertThat(fault).contains("deeper than 50 levels"));
        }
    }

    @Test
    void namesHaveALimitOnEveryLevel() {
        String longest = "é".repeat(127);
        String tooLong = "é".repeat(128);
        assertThat(ApplicationHeaders.fault(Map.of(longest, List.of(Map.of(longest, 1)))))
                .isEmpty();
        for (Map<String, Object> headers : List.<Map<String, Object>>of(
                Map.of(tooLong, 1), Map.of("n", Map.of(tooLong, 1)), Map.of("n", List.of(Map.of(tooLong, 1))))) {
            assertThat(ApplicationHeaders.fault(headers))
                    .hasValueSatisfying(fault -> assertThat(fault).contains("256 bytes", "the limit is 255"));
        }
    }

    @Test
    void ofFaultyHeadersThoseAreKeptThatFit() {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("first", "a");
        headers.put("large", "x".repeat(40_000));
        headers.put("deep", nested(10_000, false));
        headers.put("é".repeat(128), "b");
        headers.put("nothing", null);
        headers.put("last", "c");
        Map<String, Object> fitting = ApplicationHeaders.fitting(headers);
        assertThat(fitting).containsOnlyKeys("first", "nothing", "last");
        assertThat(ApplicationHeaders.fault(fitting)).isEmpty();
    }

    @Test
    void ofManyHeadersTheFirstAreKept() {
        Map<String, Object> headers = new LinkedHashMap<>();
        for (int i = 0; i < 100_000; i++) {
            headers.put("h" + i, (byte) 1);
        }
        Map<String, Object> fitting = ApplicationHeaders.fitting(headers);
        assertThat(ApplicationHeaders.fault(headers)).isPresent();
        assertThat(ApplicationHeaders.fault(fitting)).isEmpty();
        List<String> names = new ArrayList<>(headers.keySet());
        assertThat(fitting.keySet()).containsExactlyElementsOf(names.subList(0, fitting.size()));
        assertThat(fitting).hasSizeGreaterThan(3_000);
    }
}
