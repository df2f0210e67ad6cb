package io.lifespan.event.capture;

import io.lifespan.libc.Clocks;
import io.lifespan.process.KernelClock;
import java.util.function.LongSupplier;

/** Measures how far this machine's clocks are apart. */
public final class SystemClock {

  private static final int ATTEMPTS = 32;

  private SystemClock() {}

  /** The clocks as they stand now, to some ten nanoseconds. */
  public static KernelClock measure() {
    Clocks clocks = new Clocks();
    return new KernelClock(
        offset(clocks::monotonicNanos, clocks::realNanos),
        offset(clocks::monotonicNanos, clocks::bootNanos),
        Clocks.ticksPerSecond());
  }

  /**
   * What to add to one clock to get another: the other is read between two readings of the one, and
   * of many such attempts the one least disturbed counts. Two clocks that may be equal are: a
   * machine that was never suspended has no offset at all, and a tick must not change by an error
   * of measurement.
   */
  static long offset(LongSupplier from, LongSupplier to) {
    long best = 0;
    long leastDoubt = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS; i++) {
      long before = from.getAsLong();
      long other = to.getAsLong();
      long after = from.getAsLong();
      if (before <= other && other <= after) {
        return 0;
      }
      if (after - before < leastDoubt) {
        leastDoubt = after - before;
        best = other - before - (after - before) / 2;
      }
    }
    return best;
  }
}
