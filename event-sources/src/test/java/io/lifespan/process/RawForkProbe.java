package io.lifespan.process;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * A JVM that forks by a raw system call, below the C library and below the JVM, and has each child
 * ask its {@link PidCache}. Each process writes four ints to its standard output: who it is (0 the
 * parent before, 1 a child, 2 its child, 9 the parent after), its pid by the kernel, the pid and
 * the fork generation by the cache.
 *
 * <p>A forked child has no JVM threads but the one that forked: it allocates nothing, loads no
 * class and leaves by _exit. All code it needs has been run before.
 */
final class RawForkProbe {

  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final int SYS_CLONE = ARM ? 220 : 56;
  private static final int SYS_GETPID = ARM ? 172 : 39;
  private static final int SIGCHLD = 17;
  private static final int CLONE_NEWPID = 0x20000000;
  private static final int ANSWER = 16;

  private static final LibC LIBC = LibraryLoader.create(LibC.class).load("c");
  private static final ByteBuffer BYTES =
      ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
  private static final Pointer MEMORY = Pointer.wrap(Runtime.getSystemRuntime(), BYTES);

  private RawForkProbe() {}

  public static void main(String[] args) {
    PidCache cache = PidCache.current();
    int rounds = Integer.parseInt(args[0]);
    int nullFd = LIBC.open("/dev/null", 1);
    for (int i = 0; i < rounds; i++) {
      answer(nullFd, 0, cache);
      LIBC.waitpid(-1, null, 0);
    }
    // The very loop that the JIT compiler has seen never to change.
    long pids = 0;
    for (int i = 0; i < rounds; i++) {
      pids += cache.pid();
    }
    answer(1, 0, cache);
    family(cache, SIGCHLD, true);
    family(cache, SIGCHLD, false);
    family(cache, SIGCHLD | CLONE_NEWPID, true);
    answer(1, 9, cache);
    LIBC._exit(pids == (long) rounds * cache.pid() ? 0 : 1);
  }

  /** A child and its child; the child asks before it forks, or never does. */
  private static void family(PidCache cache, int flags, boolean childAsks) {
    if (LIBC.syscall(SYS_CLONE, flags, 0, 0, 0, 0) == 0) {
      if (childAsks) {
        answer(1, 1, cache);
      }
      if (LIBC.syscall(SYS_CLONE, flags, 0, 0, 0, 0) == 0) {
        answer(1, 2, cache);
        LIBC._exit(0);
      }
      LIBC.waitpid(-1, null, 0);
      LIBC._exit(0);
    }
    LIBC.waitpid(-1, null, 0);
  }

  private static void answer(int fd, int who, PidCache cache) {
    BYTES.putInt(0, who);
    BYTES.putInt(4, (int) LIBC.syscall(SYS_GETPID, 0, 0, 0, 0, 0));
    BYTES.putInt(8, cache.pid());
    BYTES.putInt(12, cache.forkGeneration());
    LIBC.write(fd, MEMORY, ANSWER);
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface LibC {
    long syscall(long number, long a, long b, long c, long d, long e);

    long write(int fd, Pointer data, long size);

    int open(String path, int flags);

    int waitpid(int pid, Pointer status, int options);

    void _exit(int code);
  }
}
