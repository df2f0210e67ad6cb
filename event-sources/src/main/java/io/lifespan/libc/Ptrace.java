package io.lifespan.libc;

import jnr.ffi.types.pid_t;
import jnr.ffi.types.u_int64_t;

/**
 * Following of other threads by ptrace(2), as far as their lives go: seized, never stopped by
 * attaching, told when they fork, execute and end. All calls about a thread must come from the
 * thread that seized it; when that one ends, the kernel lets all go on untraced.
 *
 * <p>Not thread-safe.
 */
public final class Ptrace {

  /** Stop when it executes a program. */
  public static final int TRACE_EXEC = 1 << 4;

  /** Stop at forks and clones, follow what is made, stop when it executes a program. */
  public static final int TRACE_LIFE = 1 << 1 | 1 << 2 | 1 << 3 | TRACE_EXEC;

  /** Of a stop: it made a process. */
  public static final int EVENT_FORK = 1;

  /** Of a stop: it made a process that it waits for. */
  public static final int EVENT_VFORK = 2;

  /** Of a stop: it made a thread or process by clone. */
  public static final int EVENT_CLONE = 3;

  /** Of a stop: its process executed a program. */
  public static final int EVENT_EXEC = 4;

  /** Of a stop: it is new, or stopped with its group, or continued. */
  public static final int EVENT_STOP = 128;

  private static final int CONT = 7;
  private static final int SETOPTIONS = 0x4200;
  private static final int GETEVENTMSG = 0x4201;
  private static final int SEIZE = 0x4206;
  private static final int LISTEN = 0x4208;

  private static final int WNOHANG = 1;
  private static final int OWN_OF_EVERY_KIND = 0x40000000 | 0x20000000; // __WALL, __WNOTHREAD
  private static final int ANY = -1;

  private static final Calls CALLS = Native.bind(Calls.class);

  private final NativeBuffer status = new NativeBuffer(Integer.BYTES);
  private final NativeBuffer message = new NativeBuffer(Long.BYTES);

  /** Nothing is followed so far. */
  public Ptrace() {}

  /** Begins to follow a thread, which runs on; 0, or the negated error number. */
  public int seize(int tid, int options) {
    return call(SEIZE, tid, options);
  }

  /** Sets what a stopped thread stops at from now on; 0, or the negated error number. */
  public int setOptions(int tid, int options) {
    return call(SETOPTIONS, tid, options);
  }

  /**
   * Lets a stopped thread go on; 0, or the negated error number: ESRCH if it was killed meanwhile.
   *
   * @param signal that it is given; 0 for none
   */
  public int resume(int tid, int signal) {
    return call(CONT, tid, signal);
  }

  /** Leaves a thread stopped with its group, as it would be untraced. */
  public int leaveStopped(int tid) {
    return call(LISTEN, tid, 0);
  }

  /**
   * What a stop is about: the thread that was made; of an exec the id that the executing thread had
   * before. 0 if the thread was killed meanwhile.
   */
  public int subject(int tid) {
    long result = CALLS.ptrace(GETEVENTMSG, tid, 0, message.address());
    return result < 0 ? 0 : (int) message.bytes().getLong(0);
  }

  /**
   * Takes the next change of a thread that is followed.
   *
   * @param block whether to wait for one, without limit
   * @return its id, 0 if there is none now, or the negated error number: ECHILD if none is followed
   */
  public int next(boolean block) {
    while (true) {
      int tid = CALLS.waitpid(ANY, status.address(), OWN_OF_EVERY_KIND | (block ? 0 : WNOHANG));
      int error = tid < 0 ? Native.errno().number() : 0;
      if (error != Errno.EINTR.number()) {
        return tid < 0 ? -error : tid;
      }
    }
  }

  /** The raw wait status of what {@link #next} gave. */
  public int status() {
    return status.bytes().getInt(0);
  }

  private static int call(int request, int tid, long data) {
    return CALLS.ptrace(request, tid, 0, data) < 0 ? -Native.errno().number() : 0;
  }

  /** The calls. */
  public interface Calls {
    long ptrace(int request, @pid_t int pid, @u_int64_t long address, @u_int64_t long data);

    int waitpid(@pid_t int pid, @u_int64_t long status, int options);
  }
}
