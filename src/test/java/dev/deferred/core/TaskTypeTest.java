package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TaskTypeTest {
    @Test
    void acceptsWordsJoinedByDots() {
        List.of("a", "order-timeout", "orders.timeout", "A_1", "9", "x".repeat(100))
                .forEach(name -> assertThat(TaskType.require(name)).isEqualTo(name));
    }

    @Test
    void refusesWhatWouldSteerRoutingOrBreakALimit() {
        List.of(
                        "",
                        ".",
                        "a.",
                        ".a",
                        "a..b",
                        "a.#",
                        "#",
                        "*",
                        "a b",
                        "x/../../api",
                        "x?y=1",
                        "é",
                        "é".repeat(200),
                        "a\n",
                        "x".repeat(101),
                        "a\u0000")
                .forEach(name -> assertThatThrownBy(() -> TaskType.require(name))
                        .as(name)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("1 to 100"));
    }
}
