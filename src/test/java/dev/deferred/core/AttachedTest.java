package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AttachedTest {
    private static Attached with(Map<String, Object> headers) {
        return new Attached(
                headers, Optional.of(9), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Test
    void aHeaderWithoutAValueIsKept() {
        Map<String, Object> headers = new HashMap<>();
        headers.put("nothing", null);
        assertThat(with(headers).headers()).containsOnlyKeys("nothing").containsValue(null);
    }

    @Test
    void whatIsDoneToTheMapAfterwardsDoesNotMatter() {
        Map<String, Object> headers = new HashMap<>(Map.of("a", 1));
        Attached attached = with(headers);
        headers.put("b", 2);
        assertThat(attached.headers()).containsOnlyKeys("a");
        assertThatThrownBy(() -> attached.headers().put("c", 3)).isInstanceOf(UnsupportedOperationException.class);
    }
}
