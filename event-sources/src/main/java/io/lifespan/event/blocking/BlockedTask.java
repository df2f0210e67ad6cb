package io.lifespan.event.blocking;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountPoint;
import org.jspecify.annotations.Nullable;

/**
 * A thread of another process that has not run since it was found in a call about files, or in
 * uninterruptible sleep.
 *
 * @param pid the process
 * @param tid the thread
 * @param startTicks when the process was made, as in /proc/PID/stat; with the pid it is its
 *     identity
 * @param comm the thread's name
 * @param executable the program, by the link in /proc; null if that cannot be read
 * @param call name of the call; {@code syscall N} for one without a name here; null if it is in
 *     none or may not be known
 * @param path what the call is about; null if that cannot be read
 * @param mount the mount that the path leads to by its names; null if unknown
 * @param wchan the kernel's function that it waits in; null if that may not be known
 * @param uninterruptible true in state D
 * @param sinceNanos when it was first found so: it is blocked at least since then
 * @param notBeforeNanos when it was last seen otherwise; null if it was never looked at before
 */
public record BlockedTask(
    int pid,
    int tid,
    long startTicks,
    Bytes comm,
    @Nullable Bytes executable,
    @Nullable String call,
    @Nullable Bytes path,
    @Nullable MountPoint mount,
    @Nullable String wchan,
    boolean uninterruptible,
    long sinceNanos,
    @Nullable Long notBeforeNanos) {

  /** How long it has been blocked at least, in nanoseconds. */
  public long ageNanos(long nowNanos) {
    return nowNanos - sinceNanos;
  }
}
