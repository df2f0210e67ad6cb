package io.lifespan.event.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuBudgetTest {

  private final CpuBudget budget = new CpuBudget(0.01, 200, 0, 0);

  @Test
  void whatWasSavedMayBeSpentAtOnce() {
    assertThat(budget.settle(0, 200, false)).isZero();
    assertThat(budget.settle(0, 201, false)).isEqualTo(100);
  }

  @Test
  void whatIsOwedIsWaitedFor() {
    assertThat(budget.settle(0, 210, false)).isEqualTo(1_000);
    assertThat(budget.settle(1_000, 210, false)).isZero();
  }

  @Test
  void inAHurryItMayOweAsMuchAsItCanSave() {
    assertThat(budget.settle(0, 400, true)).isZero();
    assertThat(budget.settle(0, 401, true)).isEqualTo(100);
    assertThat(budget.settle(0, 401, false)).as("paid back later").isEqualTo(20_100);
  }

  @Test
  void noMoreIsSavedThanTheBound() {
    assertThat(budget.settle(1_000_000, 0, false)).isZero();
    assertThat(budget.settle(1_000_000, 300, false)).isEqualTo(10_000);
  }
}
