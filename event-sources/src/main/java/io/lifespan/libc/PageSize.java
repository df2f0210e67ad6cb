package io.lifespan.libc;

import jnr.ffi.annotations.IgnoreError;

/** The size of a page of memory: 4,096 bytes as a rule, 16,384 or 65,536 on some arm64 kernels. */
public final class PageSize {

  private static final int SC_PAGESIZE = 30;

  private static final Calls CALLS = Native.bind(Calls.class);

  private PageSize() {}

  /** In bytes. */
  public static long bytes() {
    return CALLS.sysconf(SC_PAGESIZE);
  }

  /** With this argument the call cannot fail. */
  public interface Calls {
    @IgnoreError
    long sysconf(int name);
  }
}
