package dev.deferred.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TaskIdTest {
    @Test
    void aNewIdIsAUuidOfVersion7ThatHoldsTheTime() {
        UUID uuid = UUID.fromString(
                TaskId.generate(1_796_000_000_123L, new Random(1)).value());
        assertThat(uuid.version()).isEqualTo(7);
        assertThat(uuid.variant()).isEqualTo(2);
        assertThat(uuid.getMostSignificantBits() >>> 16).isEqualTo(1_796_000_000_123L);
    }

    @Test
    void laterIdsSortAfterEarlierOnes() {
        Random random = new Random(2);
        String before = "";
        for (long millis = 1_000_000_000_000L; millis < 1_000_000_001_000L; millis++) {
            String id = TaskId.generate(millis, random).value();
            assertThat(id).isGreaterThan(before);
            before = id;
        }
    }

    @Test
    void idsOfOneMillisecondDiffer() {
        Random random = new Random(3);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            ids.add(TaskId.generate(1_796_000_000_123L, random).value());
        }
        assertThat(ids).hasSize(100_000);
    }

    @Test
    void aKeyAlwaysHasTheSameIdAndAnotherKeyAnother() {
        assertThat(TaskId.ofKey("order-42")).isEqualTo(TaskId.ofKey("order-42")).isNotEqualTo(TaskId.ofKey("order-43"));
        UUID uuid = UUID.fromString(TaskId.ofKey("order-42").value());
        assertThat(uuid.version()).isEqualTo(8);
        assertThat(uuid.variant()).isEqualTo(2);
    }

    @Test
    void lengthCountsInBytes() {
        assertThat(new TaskId("é".repeat(127)).value()).hasSize(127);
        assertThatThrownBy(() -> new TaskId("é".repeat(128)))
                .hasMessageContaining("255")
                .hasMessageContaining("256");
        assertThatThrownBy(() -> new TaskId("")).hasMessageContaining("1 to 255");
    }
}
