package io.lifespan.otel;

import java.time.Duration;

/**
 * Which processes of the sampled traces get a span. What a rule leaves out is counted in {@link
 * SpanStats}.
 *
 * @param onlyFailed only those that ended with an exit code other than 0 or by a signal
 * @param minDuration only those that lived at least so long; zero for all
 * @param record how long those that ended are kept back: they get their spans when a process of
 *     their trace fails; zero if nothing is kept back
 * @param maxRecorded how many are kept back at most; the oldest make room
 * @param kernelThreads whether the kernel's own threads get spans
 */
public record SpanRules(
    boolean onlyFailed,
    Duration minDuration,
    Duration record,
    int maxRecorded,
    boolean kernelThreads) {

  public static final int DEFAULT_MAX_RECORDED = 20_000;

  /** Every process gets a span, the kernel's threads do not. */
  public static final SpanRules ALL =
      new SpanRules(false, Duration.ZERO, Duration.ZERO, DEFAULT_MAX_RECORDED, false);

  public SpanRules {
    if (minDuration.isNegative() || record.isNegative()) {
      throw new IllegalArgumentException("negative: " + minDuration + ", " + record);
    }
    if (maxRecorded < 1) {
      throw new IllegalArgumentException("a recorder of " + maxRecorded + " processes");
    }
    if (onlyFailed && !record.isZero()) {
      throw new IllegalArgumentException("what did not fail is either recorded or left out");
    }
  }

  /** True if processes are kept back until one fails. */
  public boolean records() {
    return !record.isZero();
  }
}
