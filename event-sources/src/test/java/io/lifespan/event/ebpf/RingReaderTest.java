package io.lifespan.event.ebpf;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RingReaderTest {

  private static final int SIZE = 4096;
  private static final int BUSY = 1 << 31;
  private static final int DISCARDED = 1 << 30;

  private final ByteBuffer consumer = buffer(8);
  private final ByteBuffer producer = buffer(8);
  private final ByteBuffer data = buffer(SIZE);
  private final byte[] into = new byte[256];

  @Test
  void recordsComeInTheirOrderAndTheirRoomIsGivenBack() {
    put(0, 3, "abc");
    put(16, 1, "d");
    producer.putLong(0, 32);
    RingReader ring = ring();

    assertThat(next(ring)).isEqualTo("abc");
    assertThat(consumer.getLong(0)).isEqualTo(16);
    assertThat(next(ring)).isEqualTo("d");
    assertThat(next(ring)).isNull();
    assertThat(consumer.getLong(0)).isEqualTo(32);
    assertThat(ring.malformed()).isZero();
  }

  @Test
  void whatIsStillBeingWrittenIsWaitedForAndNothingAfterItTaken() {
    put(0, 3 | BUSY, "abc");
    put(16, 1, "d");
    producer.putLong(0, 32);
    RingReader ring = ring();

    assertThat(next(ring)).isNull();
    data.putInt(0, 3);

    assertThat(next(ring)).isEqualTo("abc");
    assertThat(next(ring)).isEqualTo("d");
  }

  @Test
  void whatWasDiscardedIsPassedOver() {
    put(0, 3 | DISCARDED, "abc");
    put(16, 1, "d");
    producer.putLong(0, 32);

    assertThat(next(ring())).isEqualTo("d");
  }

  @Test
  void aRecordAcrossTheEndOfTheRingIsWhole() {
    consumer.putLong(0, 3L * SIZE - 16);
    data.putInt(SIZE - 16, 12);
    byte[] content = "0123456789ab".getBytes(US_ASCII);
    for (int i = 0; i < content.length; i++) {
      data.put((SIZE - 8 + i) % SIZE, content[i]);
    }
    producer.putLong(0, 3L * SIZE + 8);

    assertThat(next(ring())).isEqualTo("0123456789ab");
  }

  @Test
  void aRecordThatDoesNotFitIsSkippedAndCounted() {
    put(0, 300, "too long");
    put(312, 1, "d");
    producer.putLong(0, 328);
    RingReader ring = ring();

    assertThat(next(ring)).isEqualTo("d");
    assertThat(ring.malformed()).isEqualTo(1);
  }

  @Property(tries = 500)
  void whateverTheRingHoldsReadingEndsAtItsEnd(
      @ForAll @Size(max = 400) List<Integer> words,
      @ForAll @LongRange(min = 0, max = 1L << 40) long start,
      @ForAll @IntRange(min = 0, max = SIZE) int filled) {
    long from = start & ~7L;
    consumer.putLong(0, from);
    producer.putLong(0, from + (filled & ~7));
    for (int i = 0; i < SIZE / 4; i++) {
      data.putInt(i * 4, words.isEmpty() ? 0 : words.get(i % words.size()) % 600);
    }
    RingReader ring = ring();
    List<Integer> lengths = new ArrayList<>();
    int length;
    while ((length = ring.next(ring.end(), into)) != RingReader.NONE) {
      lengths.add(length);
    }

    assertThat(lengths).allMatch(each -> each >= 0 && each <= into.length);
    assertThat(consumer.getLong(0)).isBetween(from, from + filled);
  }

  private RingReader ring() {
    return new RingReader(consumer, producer, data);
  }

  private String next(RingReader ring) {
    int length = ring.next(ring.end(), into);
    return length == RingReader.NONE ? null : new String(Arrays.copyOf(into, length), US_ASCII);
  }

  private void put(int at, int header, String content) {
    data.putInt(at, header);
    data.put(at + 8, content.getBytes(US_ASCII));
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }
}
