package io.lifespan.process;

/**
 * Turns the kernel's times into others. Pure: the offsets between the clocks are its arguments,
 * measured by whoever makes it.
 *
 * @param monotonicToEpochNanos what to add to CLOCK_MONOTONIC to get CLOCK_REALTIME, in nanoseconds
 * @param monotonicToBootNanos what to add to CLOCK_MONOTONIC to get CLOCK_BOOTTIME: the time spent
 *     suspended, in nanoseconds
 * @param ticksPerSecond clock ticks of /proc/PID/stat in a second (sysconf(_SC_CLK_TCK)), 100 as a
 *     rule
 */
public record KernelClock(
    long monotonicToEpochNanos, long monotonicToBootNanos, long ticksPerSecond) {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A time of CLOCK_MONOTONIC as nanoseconds since the epoch. */
  public long epochNanos(long monotonicNanos) {
    return monotonicNanos + monotonicToEpochNanos;
  }

  /** A time of CLOCK_MONOTONIC as clock ticks since boot, rounded down as the kernel does. */
  public long ticks(long monotonicNanos) {
    return Math.floorDiv(monotonicNanos + monotonicToBootNanos, nanosPerTick());
  }

  /** How far a time of CLOCK_MONOTONIC lies behind the last tick, in nanoseconds. */
  public long nanosIntoTick(long monotonicNanos) {
    return Math.floorMod(monotonicNanos + monotonicToBootNanos, nanosPerTick());
  }

  /** The first nanosecond of CLOCK_MONOTONIC in a clock tick since boot. */
  public long monotonicNanos(long ticks) {
    return ticks * nanosPerTick() - monotonicToBootNanos;
  }

  /** The length of a tick in nanoseconds. */
  public long nanosPerTick() {
    return NANOS_PER_SECOND / ticksPerSecond;
  }
}
