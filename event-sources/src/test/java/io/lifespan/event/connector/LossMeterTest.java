package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossMeterTest {

  @Test
  void onlyWhatWasDroppedSinceTheLastLookCounts() {
    LossMeter meter = new LossMeter(100);

    assertThat(meter.since(100)).isZero();
    assertThat(meter.since(107)).isEqualTo(7);
    assertThat(meter.since(107)).isZero();
  }

  @Test
  void theKernelsCountMayWrapAround() {
    LossMeter meter = new LossMeter(-3);

    assertThat(meter.since(4)).isEqualTo(7);
  }

  @Test
  void billionsAtOnceAreNotNegative() {
    LossMeter meter = new LossMeter(0);

    assertThat(meter.since(-1)).isEqualTo(0xffff_ffffL);
  }
}
