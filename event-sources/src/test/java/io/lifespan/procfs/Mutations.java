package io.lifespan.procfs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Bytes for fuzzing: real content with parts replaced, taken out or put in, and plain noise. */
final class Mutations {

  private Mutations() {}

  static Arbitrary<Bytes> of(String... contents) {
    Arbitrary<byte[]> noise = Arbitraries.bytes().array(byte[].class).ofMaxSize(200);
    Arbitrary<byte[]> digits =
        Arbitraries.of("18446744073709551616", "9223372036854775807", "-1", "", "-", ")", "(", ":")
            .map(text -> text.getBytes(ISO_8859_1));
    Arbitrary<byte[]> inserts =
        Arbitraries.oneOf(List.of(noise.map(bytes -> cut(bytes, 0, 8)), digits));
    Arbitrary<byte[]> mutated =
        Combinators.combine(
                Arbitraries.of(contents),
                Arbitraries.doubles().between(0, 1),
                Arbitraries.integers().between(0, 12),
                inserts)
            .as(
                (content, where, removed, inserted) ->
                    mutate(content.getBytes(ISO_8859_1), where, removed, inserted));
    return Arbitraries.oneOf(List.of(noise, mutated)).map(Bytes::new);
  }

  private static byte[] mutate(byte[] content, double where, int removed, byte[] inserted) {
    int start = (int) (where * content.length);
    byte[] head = cut(content, 0, start);
    byte[] tail = cut(content, start + removed, content.length);
    byte[] result = new byte[head.length + inserted.length + tail.length];
    System.arraycopy(head, 0, result, 0, head.length);
    System.arraycopy(inserted, 0, result, head.length, inserted.length);
    System.arraycopy(tail, 0, result, head.length + inserted.length, tail.length);
    return result;
  }

  private static byte[] cut(byte[] bytes, int start, int end) {
    int from = Math.min(start, bytes.length);
    return java.util.Arrays.copyOfRange(bytes, from, Math.max(from, Math.min(end, bytes.length)));
  }
}
