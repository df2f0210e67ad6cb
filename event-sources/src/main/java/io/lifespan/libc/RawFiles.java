package io.lifespan.libc;

import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.types.int64_t;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;
import jnr.ffi.types.u_int64_t;

/**
 * Files by descriptor, for a path that must make no garbage and never throws: every result is the
 * kernel's own, a failure is the negated error number. Paths are NUL-terminated bytes in a {@link
 * NativeBuffer}. Every descriptor is opened close-on-exec.
 */
public final class RawFiles {

  private static final int O_RDONLY = 0;
  private static final int O_CLOEXEC = 0x80000;

  private static final Calls CALLS = Native.bind(Calls.class);

  private RawFiles() {}

  /** Opens a file or directory for reading; returns its descriptor. */
  public static int open(NativeBuffer path) {
    return orErrno(CALLS.open(path.address(), O_RDONLY | O_CLOEXEC));
  }

  /** Reads up to {@code length} bytes; returns how many, 0 at the end of the file. */
  public static int read(int descriptor, NativeBuffer into, int offset, int length) {
    return orErrno((int) CALLS.read(descriptor, into.address() + offset, length));
  }

  /** As {@link #read}, from a place in the file, which for /proc/PID/mem is an address. */
  public static int readAt(int descriptor, NativeBuffer into, int length, long position) {
    return orErrno((int) CALLS.pread(descriptor, into.address(), length, position));
  }

  /** Reads where a link points to, without going there; returns its length in bytes. */
  public static int readLink(NativeBuffer path, NativeBuffer into, int length) {
    return orErrno((int) CALLS.readlink(path.address(), into.address(), length));
  }

  /**
   * Reads entries of a directory as {@code struct linux_dirent64}: u64 inode, s64 offset, u16
   * record length @16, u8 type @18, NUL-terminated name @19. Returns the bytes filled, 0 at the
   * end.
   */
  public static int readEntries(int directory, NativeBuffer into, int length) {
    return orErrno((int) CALLS.getdents64(directory, into.address(), length));
  }

  /** Closes a descriptor; the kernel frees it whatever it answers. */
  public static void close(int descriptor) {
    CALLS.close(descriptor);
  }

  private static int orErrno(int result) {
    return result < 0 ? -Native.errno().number() : result;
  }

  /** Addresses are passed as numbers: a Pointer for each call would be garbage. */
  public interface Calls {
    int open(@u_int64_t long path, int flags);

    @ssize_t
    long read(int descriptor, @u_int64_t long into, @size_t long length);

    @ssize_t
    long pread(int descriptor, @u_int64_t long into, @size_t long length, @int64_t long position);

    @ssize_t
    long readlink(@u_int64_t long path, @u_int64_t long into, @size_t long length);

    @ssize_t
    long getdents64(int directory, @u_int64_t long into, @size_t long length);

    @IgnoreError
    int close(int descriptor);
  }
}
