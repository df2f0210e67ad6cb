package io.lifespan.event.blocking;

import java.time.Duration;

/**
 * How other processes are looked at.
 *
 * @param cpuShare what the sampling may cost of one processor, for example 0.01
 * @param interval how long after the beginning of one look at all threads the next begins, if the
 *     share allows
 * @param reportAfter a thread blocked for this long is told to the listener, and so is a stall
 */
public record SamplerOptions(double cpuShare, Duration interval, Duration reportAfter) {

  /** A hundredth of a processor; every 2 s; told after a second. */
  public static final SamplerOptions DEFAULTS =
      new SamplerOptions(0.01, Duration.ofSeconds(2), Duration.ofSeconds(1));
}
