package io.lifespan.event.blocking;

/** Durations as they were counted up to some moment. Does not change any more. */
public final class Latencies {

  /** How many buckets there are: up to 2^42 ns, more than an hour; the last holds more too. */
  public static final int BUCKETS = 34;

  private static final int FIRST_BITS = 10;

  private final long[] counts;
  private final long totalNanos;

  Latencies(long[] counts, long totalNanos) {
    this.counts = counts;
    this.totalNanos = totalNanos;
  }

  /** How many durations are in a bucket. */
  public long count(int bucket) {
    return counts[bucket];
  }

  /** What the durations in a bucket stay below, in nanoseconds; the last has no bound. */
  public static long upperBoundNanos(int bucket) {
    return 1L << (FIRST_BITS + bucket);
  }

  /** How many durations there are. */
  public long count() {
    long count = 0;
    for (long one : counts) {
      count += one;
    }
    return count;
  }

  /** Their sum in nanoseconds. */
  public long totalNanos() {
    return totalNanos;
  }

  /** The bound of the bucket that holds the given share of the durations; 0 if there are none. */
  public long quantileNanos(double share) {
    long wanted = (long) Math.ceil(count() * share);
    long seen = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      seen += counts[bucket];
      if (wanted > 0 && seen >= wanted) {
        return upperBoundNanos(bucket);
      }
    }
    return 0;
  }
}
