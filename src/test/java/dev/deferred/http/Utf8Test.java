package dev.deferred.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\u0001\u007F", "é", "߿ࠀ", "€퟿\uE000\uFFFF", "😀", "a😀é€b"})
    void textIsUtf8(String text) {
        assertThat(Utf8.firstFault(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "00, 0",
        "6100, 1",
        "80, 0",
        "61C3, 1",
        "C080, 0",
        "C1BF, 0",
        "E08080, 0",
        "E09FBF, 0",
        "EDA080, 0",
        "EDBFBF, 0",
        "E282, 0",
        "F08FBFBF, 0",
        "F4908080, 0",
        "F5808080, 0",
        "F09F98, 0",
        "FF, 0",
        "FEFF, 0",
        "C3A9C3, 2"
    })
    void theFirstFaultIsFound(String hex, int at) {
        assertThat(Utf8.firstFault(HexFormat.of().parseHex(hex))).isEqualTo(at);
    }

    @Test
    void itAgreesWithThePlatformOnAnyBytes() {
        Random random = new Random(1);
        byte[] likely = HexFormat.of().parseHex("2041808fa0bfc0c2dfe0edeff0f4f5ff90");
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = new byte[1 + random.nextInt(6)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = likely[random.nextInt(likely.length)];
            }
            assertThat(Utf8.firstFault(bytes) < 0)
                    .as(HexFormat.of().formatHex(bytes))
                    .isEqualTo(decodes(bytes));
        }
    }

    private static boolean decodes(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
