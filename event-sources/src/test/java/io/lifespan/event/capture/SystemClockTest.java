package io.lifespan.event.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class SystemClockTest {

  private long now = 1_000_000;
  private int readings;

  @Test
  void takesTheAttemptThatWasLeastDisturbed() {
    LongSupplier from = () -> tick();
    LongSupplier to = () -> tick() + 5_000_000;
    assertThat(SystemClock.offset(from, to)).isBetween(4_999_990L, 5_000_010L);
  }

  @Test
  void takesClocksThatMayBeEqualForEqual() {
    assertThat(SystemClock.offset(this::tick, this::tick)).isZero();
  }

  @Test
  void measuresAClockThatIsBehind() {
    assertThat(SystemClock.offset(this::tick, () -> tick() - 5_000_000))
        .isBetween(-5_000_010L, -4_999_990L);
  }

  /** Each reading takes 20 ns, and most are interrupted for long. */
  private long tick() {
    now += readings++ % 10 < 6 ? 90_000 : 20;
    return now;
  }
}
