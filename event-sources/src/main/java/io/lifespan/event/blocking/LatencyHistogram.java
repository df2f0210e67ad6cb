package io.lifespan.event.blocking;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Durations counted by size: a bucket for each power of two from 1,024 ns on. To be written by any
 * thread, without locks.
 */
public final class LatencyHistogram {

  private static final int BUCKETS = Latencies.BUCKETS;
  private static final int FIRST_BITS = 10;
  private static final int SUM = BUCKETS;

  private final AtomicLongArray cells = new AtomicLongArray(BUCKETS + 1);

  /** Counts a duration. */
  public void record(long nanos) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(nanos, 0) >> FIRST_BITS);
    cells.getAndIncrement(Math.min(bits, BUCKETS - 1));
    cells.getAndAdd(SUM, nanos);
  }

  /** What was recorded; while others record, a count may be ahead of the sum. */
  public Latencies snapshot() {
    long[] counts = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] = cells.get(i);
    }
    return new Latencies(counts, cells.get(SUM));
  }
}
