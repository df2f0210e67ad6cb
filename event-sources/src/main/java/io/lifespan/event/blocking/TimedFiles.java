package io.lifespan.event.blocking;

import io.lifespan.libc.SystemCallException;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.MountInfo;
import java.nio.file.AccessMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls about files that have no timeout of their own, with a deadline. On a dead mount they block
 * for ever; here the caller is told {@link Timed.Blocked}, with what holds it and since when.
 *
 * <p><b>Strict</b>: every call is made on another thread. The deadline holds whatever happens.
 *
 * <p><b>Adaptive</b>: the caller's own thread makes the call while the mount has answered quickly
 * within the last 100 ms and nothing is known to be stuck in it; otherwise as strict. Nearly free,
 * but a caller caught in the very moment when a mount dies blocks, and is then shown as blocked.
 * The same holds for a path that leads to the mount through a symbolic link elsewhere, or through
 * another mount: it is judged by the mount that its names lead to.
 *
 * <p>In each file system at most one call that was handed over is outstanding. Later askers wait
 * behind it; those who ask the same share one call if it has not been made yet. Once it returns
 * they go on. Who gives up at a deadline takes the question back. Threads are daemons.
 *
 * <p>Thread-safe. Views made by {@link #within}, {@link #strict} and {@link #adaptive} share all
 * but the deadline and the mode, and are closed with the one that was opened. An interrupt ends the
 * wait as a deadline does, and is kept.
 */
public final class TimedFiles implements AutoCloseable {

  private final FileDesk desk;
  private final boolean strict;
  private final long deadlineNanos;

  private TimedFiles(FileDesk desk, boolean strict, long deadlineNanos) {
    this.desk = desk;
    this.strict = strict;
    this.deadlineNanos = deadlineNanos;
  }

  /** Strict ones. Never fails: if the mounts cannot be read, all paths share one lane. */
  public static TimedFiles open(TimedFilesOptions options) {
    return new TimedFiles(new FileDesk(options), true, options.deadline().toNanos());
  }

  /** The same with another deadline. */
  public TimedFiles within(Duration deadline) {
    return new TimedFiles(desk, strict, deadline.toNanos());
  }

  /** The same, strict: see above. */
  public TimedFiles strict() {
    return new TimedFiles(desk, true, deadlineNanos);
  }

  /** The same, adaptive: see above. */
  public TimedFiles adaptive() {
    return new TimedFiles(desk, false, deadlineNanos);
  }

  /** Whether there is something at a path, by access(); symbolic links are followed. */
  public Timed<Boolean> exists(FilePath path) {
    return ask(FileCall.EXISTS, path);
  }

  /**
   * Whether this process's real user may use a path so; false is EACCES. Other errors, of a path
   * that is not there too, are {@link Timed.Failed}.
   */
  public Timed<Boolean> access(FilePath path, Set<AccessMode> modes) {
    int mode = 0;
    for (AccessMode wanted : modes) {
      mode |=
          switch (wanted) {
            case READ -> 4;
            case WRITE -> 2;
            case EXECUTE -> 1;
          };
    }
    return ask(FileCall.access(mode), path);
  }

  /** The status of a file; symbolic links are followed. The time of birth is not asked for. */
  public Timed<FileStatus> stat(FilePath path) {
    return ask(FileCall.STAT, path);
  }

  /** As {@link #stat}, of a symbolic link itself. */
  public Timed<FileStatus> lstat(FilePath path) {
    return ask(FileCall.LSTAT, path);
  }

  /** As {@link #stat}, with the time of birth: what {@code Files.readAttributes} gives. */
  public Timed<FileStatus> readAttributes(FilePath path) {
    return ask(FileCall.ATTRIBUTES, path);
  }

  /** The file system that a path is on. */
  public Timed<FileSystemStatus> statfs(FilePath path) {
    return ask(FileCall.STATFS, path);
  }

  /** What a symbolic link says. */
  public Timed<Bytes> readLink(FilePath path) {
    return ask(FileCall.READLINK, path);
  }

  /** The mounts as they are known now. */
  public MountInfo mounts() {
    return desk.places().mounts();
  }

  /** Why the mounts are not known; null if they are. */
  public @Nullable SystemCallException withoutMounts() {
    return desk.withoutMounts();
  }

  /** How long calls took that have returned, by mount and call; of mounts that are there now. */
  public List<CallStatistics> statistics() {
    List<CallStatistics> statistics = new ArrayList<>();
    desk.places().all().forEach(place -> statistics.addAll(place.statistics()));
    statistics.addAll(desk.places().unlisted().statistics());
    return statistics;
  }

  /**
   * How many adaptive calls were made besides, without being timed: of the calls of a thread the
   * first in each 50 ms and every 64th are timed, and any that takes longer. Told in steps.
   */
  public long untimed() {
    long untimed = desk.places().unlisted().untimedCount();
    for (Place place : desk.places().all()) {
      untimed += place.untimedCount();
    }
    return untimed;
  }

  /** How many deadlines have passed before an answer came; of mounts that are there now. */
  public long expired() {
    long expired = desk.places().unlisted().expiredCount();
    for (Place place : desk.places().all()) {
      expired += place.expiredCount();
    }
    return expired;
  }

  /** How many threads make calls or are kept for the next. */
  public int threads() {
    return desk.workers().threads();
  }

  /** How often a call had to wait since all threads were taken. */
  public long refused() {
    return desk.workers().refused();
  }

  /** The calls that have been outstanding for so long, on workers' and on callers' threads. */
  public List<BlockedCall> blocked(Duration atLeast) {
    return desk.outstanding(System.nanoTime() - atLeast.toNanos());
  }

  /** Stops the threads that can be stopped; one that is stuck ends when its call returns. */
  @Override
  public void close() {
    desk.close();
  }

  FileDesk desk() {
    return desk;
  }

  private <T> Timed<T> ask(FileCall<T> call, FilePath path) {
    return desk.ask(call, path, strict, deadlineNanos);
  }
}
