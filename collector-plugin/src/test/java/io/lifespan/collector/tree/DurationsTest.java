package io.lifespan.collector.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 us",
    "999, 0 us",
    "340000, 340 us",
    "999999, 999 us",
    "1000000, 1.00 ms",
    "1050000, 1.05 ms",
    "9999999, 9.99 ms",
    "12345678, 12.3 ms",
    "999999999, 999 ms",
    "1240000000, 1.24 s",
    "38000000000, 38.0 s",
    "59999999999, 59.9 s",
    "125000000000, 2 m 05 s",
    "3599999999999, 59 m 59 s",
    "43320000000000, 12 h 02 m",
  })
  void aDurationHasThreeDigitsAndAUnit(long nanos, String text) {
    assertThat(Durations.text(nanos)).isEqualTo(text);
  }
}
