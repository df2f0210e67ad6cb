package io.lifespan.libc;

import jnr.ffi.types.u_int64_t;

/**
 * The calls that ask a file system about a path, any of which may block without limit. No garbage,
 * no exceptions: each returns 0, or the negated error number. Paths are NUL-terminated bytes.
 *
 * <p>A thread within such a call counts as native to the JVM: neither garbage collection nor any
 * other safepoint waits for it.
 */
public final class FileCalls {

  /** Mode of {@link #access}: whether it is there. */
  public static final int F_OK = 0;

  /** Size of what {@link #statx} fills: {@code struct statx}. */
  public static final int STATX_SIZE = 256;

  /** What {@code stat()} would tell, and the id of the mount. */
  public static final int STATX_BASIC = 0x7ff | 0x1000;

  /** The time of birth besides, for which some file systems ask their server once more. */
  public static final int STATX_WITH_BIRTH = STATX_BASIC | 0x800;

  /** Size of what {@link #statfs} fills: {@code struct statfs} of 64-bit Linux. */
  public static final int STATFS_SIZE = 120;

  private static final int AT_FDCWD = -100;
  private static final int AT_SYMLINK_NOFOLLOW = 0x100;

  /** As stat() does: what is not mounted yet is not mounted for this. */
  private static final int AT_NO_AUTOMOUNT = 0x800;

  private static final Calls CALLS = Native.bind(Calls.class);

  private FileCalls() {}

  /** Whether a path may be used so by this process's real user: a sum of R 4, W 2, X 1, or 0. */
  public static int access(NativeBuffer path, int mode) {
    return orErrno(CALLS.access(path.address(), mode));
  }

  /**
   * The status of what a path names.
   *
   * @param follow whether a last name that is a symbolic link is followed
   * @param mask {@link #STATX_BASIC} or {@link #STATX_WITH_BIRTH}
   * @param into is filled with a {@code struct statx}, {@value #STATX_SIZE} bytes
   */
  public static int statx(NativeBuffer path, boolean follow, int mask, NativeBuffer into) {
    int flags = AT_NO_AUTOMOUNT | (follow ? 0 : AT_SYMLINK_NOFOLLOW);
    return orErrno(CALLS.statx(AT_FDCWD, path.address(), flags, mask, into.address()));
  }

  /** The file system that a path is on, into {@value #STATFS_SIZE} bytes. */
  public static int statfs(NativeBuffer path, NativeBuffer into) {
    return orErrno(CALLS.statfs(path.address(), into.address()));
  }

  private static int orErrno(int result) {
    return result < 0 ? -Native.errno().number() : result;
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface Calls {
    int access(@u_int64_t long path, int mode);

    int statx(int directory, @u_int64_t long path, int flags, int mask, @u_int64_t long into);

    int statfs(@u_int64_t long path, @u_int64_t long into);
  }
}
