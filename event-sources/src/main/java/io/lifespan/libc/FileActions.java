package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.ref.Reference;
import jnr.ffi.annotations.IgnoreError;
import jnr.ffi.types.mode_t;
import jnr.ffi.types.u_int64_t;

/**
 * What a child does to its descriptors before it executes a program: posix_spawn's file actions.
 */
final class FileActions implements AutoCloseable {

  /** {@code posix_spawn_file_actions_t} takes 80 bytes in glibc and musl. */
  private static final int SIZE = 256;

  private static final int F_SETFD = 2;
  private static final int FD_CLOEXEC = 1;

  private static final Calls CALLS = Native.bind(Calls.class);

  private final NativeBuffer memory = new NativeBuffer(SIZE);

  FileActions() throws SystemCallException {
    check("init", CALLS.posix_spawn_file_actions_init(memory.address()));
  }

  /** Makes {@code to} another name for {@code from}. */
  void duplicate(int from, int to) throws SystemCallException {
    check("adddup2", CALLS.posix_spawn_file_actions_adddup2(memory.address(), from, to));
  }

  void open(int descriptor, String path, int flags) throws SystemCallException {
    NativeStrings copied = NativeStrings.of(path.getBytes(US_ASCII));
    try {
      check(
          "addopen",
          CALLS.posix_spawn_file_actions_addopen(
              memory.address(), descriptor, copied.first(), flags, 0));
    } finally {
      copied.keep();
    }
  }

  /** Closes a descriptor if it is open. */
  void close(int descriptor) throws SystemCallException {
    int error = CALLS.posix_spawn_file_actions_addclose(memory.address(), descriptor);
    if (error == Errno.EBADF.number()) {
      // past the limit of open files, which was lowered after it was opened: glibc refuses it
      CALLS.fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    } else {
      check("addclose", error);
    }
  }

  /**
   * Closes a descriptor and all above it; does nothing where the C library (before 2.34) cannot.
   */
  void closeFrom(int descriptor) throws SystemCallException {
    int error;
    try {
      error = CALLS.posix_spawn_file_actions_addclosefrom_np(memory.address(), descriptor);
    } catch (UnsatisfiedLinkError notKnown) {
      return;
    }
    if (error
        != Errno.EBADF.number()) { // past the limit of open files nothing can be opened any more
      check("addclosefrom_np", error);
    }
  }

  long address() {
    return memory.address();
  }

  @Override
  public void close() {
    try {
      CALLS.posix_spawn_file_actions_destroy(memory.address());
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  private static void check(String action, int error) throws SystemCallException {
    if (error != 0) {
      throw new SystemCallException("posix_spawn_file_actions_" + action, new Errno(error));
    }
  }

  /** All return their error number. */
  public interface Calls {
    @IgnoreError
    int posix_spawn_file_actions_init(@u_int64_t long actions);

    @IgnoreError
    int posix_spawn_file_actions_destroy(@u_int64_t long actions);

    @IgnoreError
    int posix_spawn_file_actions_adddup2(@u_int64_t long actions, int from, int to);

    @IgnoreError
    int posix_spawn_file_actions_addopen(
        @u_int64_t long actions, int descriptor, @u_int64_t long path, int flags, @mode_t int mode);

    @IgnoreError
    int posix_spawn_file_actions_addclose(@u_int64_t long actions, int descriptor);

    @IgnoreError
    int fcntl(int descriptor, int command, long argument);

    @IgnoreError
    int posix_spawn_file_actions_addclosefrom_np(@u_int64_t long actions, int from);
  }
}
