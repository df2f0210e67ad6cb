package io.lifespan.otel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsoTimeTest {

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        -1,
        999_999_999,
        1_000_000_000,
        1_700_000_000_000_000_000L,
        1_700_000_000_120_000_000L,
        1_700_000_000_000_340_000L,
        1_700_000_000_000_000_001L,
        Long.MIN_VALUE,
        Long.MAX_VALUE
      })
  void isWhatAnInstantWrites(long nanos) {
    assertThat(new IsoTime().of(nanos)).isEqualTo(instant(nanos));
  }

  @Test
  void timesOfOneSecondAndOfAnotherFollowOneAnother() {
    IsoTime times = new IsoTime();
    for (long nanos : new long[] {5_000_000_001L, 5_000_000_000L, 6_999_000_000L, 5_100_000_000L}) {
      assertThat(times.of(nanos)).isEqualTo(instant(nanos));
    }
  }

  @Property
  void anyTimesInAnyOrder(@ForAll long first, @ForAll long second) {
    IsoTime times = new IsoTime();
    assertThat(times.of(first)).isEqualTo(instant(first));
    assertThat(times.of(second)).isEqualTo(instant(second));
  }

  private static String instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos).toString();
  }
}
