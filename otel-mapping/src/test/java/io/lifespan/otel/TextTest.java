package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest {

  /** Bytes are written as hexadecimal digits. */
  @ParameterizedTest
  @CsvSource({
    "6d616b65, make",
    "c3a9f09f9880, é😀",
    "ff, \\xff",
    "61ff62, a\\xffb",
    "0a, \\x0a",
    "61097f, a\\x09\\x7f",
    "c285, \\xc2\\x85",
    "e280ae, \\xe2\\x80\\xae",
    "c0af, \\xc0\\xaf",
    "eda080, \\xed\\xa0\\x80",
    "f4908080, \\xf4\\x90\\x80\\x80",
    "e282, \\xe2\\x82",
    "735c2e5c, s\\.\\",
    "5c78, \\x",
    "5c786666, \\x5cxff",
    "5c784646, \\xFF",
    "5cff, \\\\xff"
  })
  void bytesAreShownAsText(String hex, String text) {
    assertThat(Text.of(bytes(hex))).isEqualTo(text);
    assertThat(Text.bytes(text)).isEqualTo(bytes(hex));
  }

  @ParameterizedTest
  @CsvSource({
    "abcdef, 6, abcdef",
    "abcdef, 5, abcde…[6 bytes]",
    "aéé, 2, a…[5 bytes]",
    "aéé, 3, aé…[5 bytes]",
    "a😀b, 4, a…[6 bytes]",
    "a😀b, 5, a😀…[6 bytes]"
  })
  void aLongTextIsCutBetweenCharactersAndItsLengthIsTold(String text, int limit, String cut) {
    assertThat(Text.of(Bytes.of(text), limit)).isEqualTo(cut);
  }

  @Test
  void aTextIsCutBetweenSurrogates() {
    assertThat(Text.cut("a😀b", 2, 6)).isEqualTo("a…[6 bytes]");
    assertThat(Text.cut("a😀b", 3, 6)).isEqualTo("a😀…[6 bytes]");
    assertThat(Text.cut("a😀b", 4, 6)).isEqualTo("a😀b");
  }

  @Property(tries = 2_000)
  void anyBytesAreHadBackFromTheirText(@ForAll("oddBytes") byte[] raw) {
    String text = Text.of(new Bytes(raw));
    assertThat(Text.bytes(text)).isEqualTo(new Bytes(raw));
    assertThat(text).doesNotContain("\n", "\u0000", "\ufffd");
    assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(text);
  }

  @Property(tries = 300)
  void aCutTextIsABeginningOfTheWhole(
      @ForAll("oddBytes") byte[] raw, @ForAll @IntRange(min = 0, max = 40) int limit) {
    Bytes bytes = new Bytes(raw);
    String cut = Text.of(bytes, limit);
    if (raw.length <= limit) {
      assertThat(cut).isEqualTo(Text.of(bytes));
    } else {
      assertThat(cut).endsWith("…[" + raw.length + " bytes]");
      byte[] kept = Text.bytes(cut.substring(0, cut.lastIndexOf('…'))).array();
      assertThat(kept.length).isBetween(Math.max(0, limit - 3), limit);
      assertThat(Arrays.copyOf(raw, kept.length)).isEqualTo(kept);
    }
  }

  @Provide
  Arbitrary<byte[]> oddBytes() {
    Arbitrary<byte[]> pieces =
        Arbitraries.of("a", "\\", "x", "\\x", "ff", "0a", "\n", "é", "😀", "\u2028", "\u0085")
            .map(piece -> piece.getBytes(StandardCharsets.UTF_8));
    Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofMaxSize(4);
    return Arbitraries.oneOf(pieces, any)
        .list()
        .ofMaxSize(12)
        .map(
            list -> {
              ByteArrayOutputStream all = new ByteArrayOutputStream();
              list.forEach(all::writeBytes);
              return all.toByteArray();
            });
  }

  private static Bytes bytes(String hex) {
    return new Bytes(HexFormat.of().parseHex(hex));
  }
}
