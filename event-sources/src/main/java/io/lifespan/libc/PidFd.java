package io.lifespan.libc;

import jnr.ffi.types.u_int64_t;
import org.jspecify.annotations.Nullable;

/**
 * Descriptors that stand for a process: readable once all of it has ended, never another's. From
 * Linux 5.3 on, of any process, without privileges. Not thread-safe.
 */
public final class PidFd {

  /** The same on every architecture. */
  private static final long PIDFD_OPEN = 434;

  /** {@code _IOWR(0xff, 11, struct pidfd_info)} of 64 bytes, Linux 6.13. */
  private static final long GET_INFO = 0xC040_FF0BL;

  /** Linux 6.15: how it ended, once it has been reaped. */
  private static final long INFO_EXIT = 1 << 3;

  /** {@code struct pidfd_info}: u64 mask @0, s32 exit_code @60. */
  private static final int INFO_SIZE = 64;

  private static final int EXIT_CODE = 60;

  private static final Calls CALLS = Native.bind(Calls.class);

  private final NativeBuffer info = new NativeBuffer(INFO_SIZE);

  /** Ready for any process. */
  public PidFd() {}

  /** Opens one, close-on-exec; returns it, or the negated error number. */
  public int open(int pid) {
    long result = CALLS.syscall(PIDFD_OPEN, pid, 0L);
    return result < 0 ? -Native.errno().number() : (int) result;
  }

  /** The raw wait status of a process that has ended and was reaped; null if not told. */
  public @Nullable Integer exitStatus(int pidFd) {
    info.bytes().putLong(0, INFO_EXIT);
    return CALLS.ioctl(pidFd, GET_INFO, info.address()) == 0
            && (info.bytes().getLong(0) & INFO_EXIT) != 0
        ? (Integer) info.bytes().getInt(EXIT_CODE)
        : null;
  }

  /** The calls. */
  public interface Calls {
    long syscall(long number, long first, long second);

    int ioctl(int descriptor, @u_int64_t long request, @u_int64_t long argument);
  }
}
