package io.lifespan.event.poll;

/**
 * When to look next: soon after something new was found, then ever less often, and at once on a
 * sign; but never for more than a share of a processor, of which some may be saved up for a burst.
 */
final class Pace {

  private static final long SHORTEST_NANOS = 20_000_000;
  private static final long SAVED_NANOS = 1_000_000_000;

  /** The virtual machine is slow at first: what the first looks may take in all, once. */
  private static final long START_NANOS = 500_000_000;

  private final long longestNanos;
  private final double share;
  private long restNanos = SHORTEST_NANOS;
  private long dueNanos;
  private double savings;
  private long savedUntilNanos;

  /**
   * @param longestNanos between two looks, if that is affordable
   * @param share of one processor that looking may take
   */
  Pace(long longestNanos, double share, long nowNanos) {
    this.longestNanos = longestNanos;
    this.share = share;
    savings = START_NANOS;
    savedUntilNanos = nowNanos;
    dueNanos = nowNanos + restNanos;
  }

  /** When the next look is due. */
  long dueNanos() {
    return dueNanos;
  }

  /** What lies between two looks by now. */
  long restNanos() {
    return restNanos;
  }

  /** There is a sign that something was executed. */
  void signalled(long nowNanos) {
    dueNanos = Math.min(dueNanos, affordableNanos(nowNanos));
  }

  /** So much time of a processor was spent up to now. */
  void spent(long nowNanos, long cpuNanos) {
    save(nowNanos);
    savings -= cpuNanos;
  }

  /** A look was taken, and accounted for. */
  void looked(long nowNanos, boolean news) {
    restNanos =
        news ? Math.min(SHORTEST_NANOS, longestNanos) : Math.min(2 * restNanos, longestNanos);
    dueNanos = Math.max(nowNanos + restNanos, affordableNanos(nowNanos));
  }

  private long affordableNanos(long nowNanos) {
    save(nowNanos);
    return savings >= 0 ? nowNanos : nowNanos + (long) (-savings / share);
  }

  private void save(long nowNanos) {
    double most = Math.max(savings, share * SAVED_NANOS);
    savings = Math.min(most, savings + share * (nowNanos - savedUntilNanos));
    savedUntilNanos = nowNanos;
  }
}
