package io.lifespan.libc;

import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.types.int64_t;

/**
 * This process's id, from the kernel at every call. By number where the number is known, because
 * the C library's own getpid() answered from a cache of its own until glibc 2.25 and was wrong
 * after a raw clone.
 */
public final class SystemPid {

  private static final Calls CALLS = Native.bind(Calls.class);
  private static final long NUMBER = number(System.getProperty("os.arch"));
  private static final long UNKNOWN = -1;

  private SystemPid() {}

  /** The pid in this process's own pid namespace. */
  public static int get() {
    return NUMBER == UNKNOWN ? CALLS.getpid() : (int) CALLS.syscall(NUMBER);
  }

  /** SYS_getpid (asm/unistd.h). */
  private static long number(String architecture) {
    return switch (architecture) {
      case "amd64" -> 39;
      case "aarch64" -> 172;
      default -> UNKNOWN;
    };
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface Calls {
    @IgnoreError
    int getpid();

    @IgnoreError
    @int64_t
    long syscall(@int64_t long number);
  }
}
