package io.lifespan.event.blocking;

/**
 * What a thread may spend on a processor: a share of the time that passes, saved up to a bound for
 * when it is needed at once. In a hurry it may go into debt to another bound. Not thread-safe.
 */
final class CpuBudget {

  private final double share;
  private final long boundNanos;
  private long creditNanos;
  private long lastWallNanos;
  private long lastCpuNanos;

  /**
   * @param share of one processor, above 0
   * @param boundNanos what can be saved, and what can be owed
   */
  CpuBudget(double share, long boundNanos, long wallNanos, long cpuNanos) {
    this.share = share;
    this.boundNanos = boundNanos;
    this.creditNanos = boundNanos;
    this.lastWallNanos = wallNanos;
    this.lastCpuNanos = cpuNanos;
  }

  /**
   * Takes the account up to now.
   *
   * @return how long to wait before spending more, in nanoseconds; 0 if nothing is owed
   */
  long settle(long wallNanos, long cpuNanos, boolean hurry) {
    creditNanos += (long) ((wallNanos - lastWallNanos) * share);
    creditNanos = Math.min(creditNanos, boundNanos);
    creditNanos -= cpuNanos - lastCpuNanos;
    lastWallNanos = wallNanos;
    lastCpuNanos = cpuNanos;
    long owed = -creditNanos - (hurry ? boundNanos : 0);
    return owed <= 0 ? 0 : (long) (owed / share);
  }
}
