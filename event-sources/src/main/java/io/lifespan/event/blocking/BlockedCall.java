package io.lifespan.event.blocking;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountPoint;
import org.jspecify.annotations.Nullable;

/**
 * A call of this program's own that has not returned yet.
 *
 * @param call its name, for example {@code stat}
 * @param path what it is about
 * @param mount the mount that the path leads to by its names; null if none is listed there
 * @param sinceNanos when it was made, in nanoseconds of CLOCK_MONOTONIC ({@link System#nanoTime()})
 */
public record BlockedCall(String call, Bytes path, @Nullable MountPoint mount, long sinceNanos) {

  /** How long it has been blocked, in nanoseconds. */
  public long ageNanos(long nowNanos) {
    return nowNanos - sinceNanos;
  }
}
