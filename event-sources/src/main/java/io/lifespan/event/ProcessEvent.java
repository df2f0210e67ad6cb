package io.lifespan.event;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import org.jspecify.annotations.Nullable;

/**
 * One event in the life of a process or thread, whichever source saw it.
 *
 * <p>Field names are the kernel's: {@code tgid} is the process, {@code pid} the thread (equal for a
 * process's first thread). Pids are those of the initial pid namespace, or of the namespace a
 * source sits in. Times are nanoseconds of CLOCK_MONOTONIC.
 */
public sealed interface ProcessEvent {

  /**
   * When it happened, in nanoseconds of CLOCK_MONOTONIC; comparable with {@link System#nanoTime()}
   * on Linux.
   */
  long timeNanos();

  /** What happened; {@link Loss} has none. */
  @Nullable EventKind kind();

  /**
   * A process or thread was made. A thread is one whose {@code childPid} is not its {@code
   * childTgid}; its parent fields then name the process's parent, not the process that made the
   * thread.
   *
   * @param capture the child's /proc/PID/stat, only where the source found the start time ambiguous
   *     without it
   */
  record Fork(
      long timeNanos,
      int parentPid,
      int parentTgid,
      int childPid,
      int childTgid,
      @Nullable ProcCapture capture)
      implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.FORK;
    }

    /** True if a process was made, false if a thread was. */
    public boolean isProcess() {
      return childPid == childTgid;
    }
  }

  /**
   * A process executed a program.
   *
   * @param capture what was executed, read at once by the source; null if the source was told not
   *     to
   * @param formerPeakBytes the most memory resident at a time so far, which {@link
   *     ResourceUsage#peakBytes()} will not fall below; 0 if unknown
   */
  record Exec(
      long timeNanos, int pid, int tgid, @Nullable ProcCapture capture, long formerPeakBytes)
      implements ProcessEvent {

    /** Of a source that does not know the use of memory. */
    public Exec(long timeNanos, int pid, int tgid, @Nullable ProcCapture capture) {
      this(timeNanos, pid, tgid, capture, 0);
    }

    @Override
    public EventKind kind() {
      return EventKind.EXEC;
    }
  }

  /**
   * Its user ids changed. Ids are unsigned 32 bits in the kernel: read them with {@link
   * Integer#toUnsignedString}.
   */
  record Uid(long timeNanos, int pid, int tgid, int realId, int effectiveId)
      implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.UID;
    }
  }

  /** Its group ids changed; see {@link Uid}. */
  record Gid(long timeNanos, int pid, int tgid, int realId, int effectiveId)
      implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.GID;
    }
  }

  /** It became the leader of a new session. */
  record Sid(long timeNanos, int pid, int tgid) implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.SID;
    }
  }

  /** A tracer attached to it, or detached: tracer pid and tgid are then 0. */
  record Ptrace(long timeNanos, int pid, int tgid, int tracerPid, int tracerTgid)
      implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.PTRACE;
    }
  }

  /**
   * It renamed itself (prctl(PR_SET_NAME) or a write to its comm); an exec sends none.
   *
   * @param comm the new name: up to 15 raw bytes, any bytes but NUL
   */
  record Comm(long timeNanos, int pid, int tgid, Bytes comm) implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.COMM;
    }
  }

  /** It is dying of a signal that dumps core; precedes its exit. */
  record CoreDump(long timeNanos, int pid, int tgid, int parentPid, int parentTgid)
      implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.COREDUMP;
    }
  }

  /**
   * A thread exited: the first thread of a process if {@code pid == tgid}. The process has ended
   * when its last thread has. A source that sees ends of whole processes tells of each as the exit
   * of its first thread, once more if that had left before.
   *
   * @param status the raw wait status of the group: exit code << 8, or the signal, 0x80 added for a
   *     core
   * @param exitSignal the signal sent to the parent: 17 (SIGCHLD) as a rule, -1 for a thread that
   *     is not the first
   * @param parentPid the parent at this moment (who adopted it, if its parent was gone); 0 for a
   *     thread, and now and then for a process that was reaped before the kernel told of its exit
   * @param capture what a dying process still shows (stat, status, cgroup), only where the source
   *     was told to read it, or where its stat tells how many threads are left
   * @param usage what the process used, with the exit of its last thread; null if unknown
   */
  record Exit(
      long timeNanos,
      int pid,
      int tgid,
      int status,
      int exitSignal,
      int parentPid,
      int parentTgid,
      @Nullable ProcCapture capture,
      @Nullable ResourceUsage usage)
      implements ProcessEvent {

    /** Of a source that does not know what was used. */
    public Exit(
        long timeNanos,
        int pid,
        int tgid,
        int status,
        int exitSignal,
        int parentPid,
        int parentTgid,
        @Nullable ProcCapture capture) {
      this(timeNanos, pid, tgid, status, exitSignal, parentPid, parentTgid, capture, null);
    }

    @Override
    public EventKind kind() {
      return EventKind.EXIT;
    }
  }

  /**
   * A process was found alive that nothing told of: by a source that looks from time to time. Who
   * made it, and what it executed before, is not known otherwise than from the capture.
   *
   * @param timeNanos when it was found
   * @param capture everything that /proc says of it
   */
  record Found(long timeNanos, int pid, ProcCapture capture) implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.FORK;
    }
  }

  /**
   * A whole process has ended, of which it may not be known how.
   *
   * @param status the raw wait status; null if it could not be learnt
   * @param exact whether the kernel said so when it happened; else it was gone at the next look
   */
  record Gone(long timeNanos, int pid, @Nullable Integer status, boolean exact)
      implements ProcessEvent {
    @Override
    public EventKind kind() {
      return EventKind.EXIT;
    }
  }

  /**
   * Events were lost before this point of the stream.
   *
   * @param count how many since the last such report, exactly
   * @param where for want of room in what
   */
  record Loss(long timeNanos, long count, Where where) implements ProcessEvent {

    /** What was full. */
    public enum Where {
      /** The kernel's buffer for a source, which did not come to read in time. */
      RECEIVE_BUFFER,
      /** The ring that a program in the kernel writes to, which was not emptied in time. */
      RING,
      /** The queue between the sources and the process table, which did not keep up. */
      QUEUE
    }

    @Override
    public @Nullable EventKind kind() {
      return null;
    }
  }
}
