package io.lifespan.event.poll;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private long now = 77 * SECOND;
  private final Pace pace = new Pace(SECOND, 0.02, now);

  @Test
  void looksSoonAfterNewsAndEverLessOftenWithoutAny() {
    look(MILLI, true);
    assertThat(pace.dueNanos() - now).isEqualTo(20 * MILLI);

    long rest = 20 * MILLI;
    for (int i = 0; i < 20; i++) {
      now = pace.dueNanos();
      look(MILLI / 10, false);
      assertThat(pace.dueNanos() - now).isBetween(rest, SECOND);
      rest = Math.min(2 * rest, SECOND);
    }
    assertThat(pace.dueNanos() - now).isEqualTo(SECOND);
  }

  @Test
  void looksAtOnceOnASign() {
    look(MILLI, false);
    now += 3 * MILLI;
    pace.signalled(now);

    assertThat(pace.dueNanos()).isEqualTo(now);
  }

  @Test
  void aFloodOfSignsCostsNoMoreThanTheShare() {
    long begin = now;
    long spent = 0;
    while (now - begin < 100 * SECOND) {
      now += MILLI;
      pace.signalled(now);
      if (now >= pace.dueNanos()) {
        look(5 * MILLI, true);
        spent += 5 * MILLI;
      }
    }

    // what may be spent at the start once, and a fiftieth of the time
    assertThat(spent).isBetween(2 * SECOND, 500 * MILLI + 2 * SECOND + 10 * MILLI);
  }

  @Test
  void whatElseTakesTimeIsPaidForToo() {
    now += 10 * SECOND;
    pace.spent(now, 10 * SECOND);
    pace.signalled(now);
    look(MILLI, true);

    assertThat(pace.dueNanos() - now).isGreaterThan(100 * SECOND);
  }

  private void look(long nanos, boolean news) {
    now += nanos;
    pace.spent(now, nanos);
    pace.looked(now, news);
  }
}
