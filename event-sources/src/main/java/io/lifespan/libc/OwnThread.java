package io.lifespan.libc;

import jnr.ffi.annotations.IgnoreError;

/** The calling thread as the kernel's scheduler sees it. */
public final class OwnThread {

  private static final int PRIO_PROCESS = 0;
  private static final int SELF = 0;

  private static final Calls CALLS = Native.bind(Calls.class);

  private OwnThread() {}

  /**
   * Sets the nice value of the calling thread alone, as Linux does it; threads that it makes later
   * inherit it.
   *
   * @param nice from -20, favoured most, to 19
   * @return false if this process may not: below 0 needs CAP_SYS_NICE or RLIMIT_NICE
   */
  public static boolean nice(int nice) {
    return CALLS.setpriority(PRIO_PROCESS, SELF, nice) == 0;
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface Calls {
    @IgnoreError
    int setpriority(int which, int who, int nice);
  }
}
