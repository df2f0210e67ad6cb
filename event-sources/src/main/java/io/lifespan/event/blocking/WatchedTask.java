package io.lifespan.event.blocking;

import io.lifespan.procfs.TaskSyscall;
import org.jspecify.annotations.Nullable;

/** A thread that was found in a call that may be blocked, until it runs again. */
final class WatchedTask {

  /** How often it is asked for its path, should it take longer than it may. */
  private static final int MAX_DESCRIBED = 8;

  private final int pid;
  private final int tid;
  private final @Nullable TaskSyscall syscall;
  private final @Nullable Long timesRun;
  private final long sinceNanos;
  private final @Nullable Long notBeforeNanos;
  private final boolean byState;
  private @Nullable BlockedTask shown;
  private int described;
  private long nextLookNanos;
  private long nextReportNanos;

  /**
   * @param byState true if only its state, uninterruptible, says that it is blocked
   * @param timesRun how often it had been given a processor; null if that is not counted
   */
  WatchedTask(
      int pid,
      int tid,
      @Nullable TaskSyscall syscall,
      boolean byState,
      @Nullable Long timesRun,
      long sinceNanos,
      @Nullable Long notBeforeNanos) {
    this.pid = pid;
    this.tid = tid;
    this.syscall = syscall;
    this.byState = byState;
    this.timesRun = timesRun;
    this.sinceNanos = sinceNanos;
    this.notBeforeNanos = notBeforeNanos;
  }

  int pid() {
    return pid;
  }

  int tid() {
    return tid;
  }

  @Nullable TaskSyscall syscall() {
    return syscall;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  @Nullable Long notBeforeNanos() {
    return notBeforeNanos;
  }

  boolean isByState() {
    return byState;
  }

  /** True if it has not run since: same call, same arguments, no turn on a processor between. */
  boolean isSame(@Nullable TaskSyscall now, @Nullable Long timesRunNow) {
    boolean sameCall = syscall == null ? now == null : syscall.equals(now);
    boolean sameTurn = timesRun == null ? timesRunNow == null : timesRun.equals(timesRunNow);
    return sameCall && sameTurn;
  }

  /** How it is shown; null until it has been blocked for long enough. */
  @Nullable BlockedTask shown() {
    return shown;
  }

  /** True if more of it may be learned: its path could not be read in time yet. */
  boolean isToBeDescribed() {
    return shown == null
        || (shown.path() == null && shown.call() != null && !byState && described < MAX_DESCRIBED);
  }

  void show(BlockedTask task, long firstReportNanos) {
    if (shown == null) {
      nextReportNanos = firstReportNanos;
    }
    shown = task;
    described++;
  }

  /** True when it is time to tell of it; the next time is when its age has doubled. */
  boolean takeReport(long nowNanos) {
    if (shown == null || nowNanos - nextReportNanos < 0) {
      return false;
    }
    nextReportNanos = nowNanos + (nowNanos - sinceNanos);
    return true;
  }

  boolean isDue(long nowNanos) {
    return nowNanos - nextLookNanos >= 0;
  }

  void lookAgainAt(long nanos) {
    nextLookNanos = nanos;
  }
}
