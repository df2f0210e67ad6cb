package io.lifespan.libc;

import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.types.u_int64_t;

/**
 * The kernel's clocks, in nanoseconds, and the length of its clock tick.
 *
 * <p>Not thread-safe: one for each thread.
 */
public final class Clocks {

  private static final int CLOCK_REALTIME = 0;
  private static final int CLOCK_MONOTONIC = 1;
  private static final int CLOCK_THREAD_CPUTIME_ID = 3;
  private static final int CLOCK_BOOTTIME = 7;
  private static final int SC_CLK_TCK = 2;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private static final Calls CALLS = Native.bind(Calls.class);

  /** {@code struct timespec}: s64 seconds, s64 nanoseconds. */
  private final NativeBuffer timespec = new NativeBuffer(16);

  /** CLOCK_MONOTONIC: the time of the proc connector's events; stands still during suspend. */
  public long monotonicNanos() {
    return now(CLOCK_MONOTONIC);
  }

  /** CLOCK_BOOTTIME: as CLOCK_MONOTONIC, but goes on during suspend. */
  public long bootNanos() {
    return now(CLOCK_BOOTTIME);
  }

  /** CLOCK_REALTIME: since the epoch; may be set. */
  public long realNanos() {
    return now(CLOCK_REALTIME);
  }

  /** CLOCK_THREAD_CPUTIME_ID: what the calling thread has spent on a processor. */
  public long threadCpuNanos() {
    return now(CLOCK_THREAD_CPUTIME_ID);
  }

  /** Clock ticks of /proc/PID/stat in a second. */
  public static long ticksPerSecond() {
    return CALLS.sysconf(SC_CLK_TCK);
  }

  private long now(int clock) {
    CALLS.clock_gettime(clock, timespec.address());
    return timespec.bytes().getLong(0) * NANOS_PER_SECOND + timespec.bytes().getLong(8);
  }

  /** With these arguments neither call can fail. */
  public interface Calls {
    @IgnoreError
    int clock_gettime(int clock, @u_int64_t long timespec);

    @IgnoreError
    long sysconf(int name);
  }
}
