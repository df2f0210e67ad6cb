package io.lifespan.event.blocking;

import io.lifespan.procfs.Bytes;
import java.time.Duration;

/**
 * How {@link TimedFiles} works.
 *
 * @param deadline how long a caller waits at most, where it does not say otherwise
 * @param slowAfter an answer that takes this long or longer ends the trust in a mount
 * @param reportAfter a call blocked for this long is told to the listener
 * @param maxThreads how many mounts may be stuck before calls to further ones wait for a thread
 * @param mountInfo the file that lists the mounts: {@code /proc/self/mountinfo}, or {@code
 *     /proc/1/mountinfo} for the host's
 * @param root what paths of those mounts begin with: nothing, or {@code /proc/1/root}
 * @param listener is told of calls that block
 */
public record TimedFilesOptions(
    Duration deadline,
    Duration slowAfter,
    Duration reportAfter,
    int maxThreads,
    String mountInfo,
    Bytes root,
    BlockingListener listener) {

  /** A deadline of a second, slow from 100 ms on, told from a second on; this process's mounts. */
  public static final TimedFilesOptions DEFAULTS =
      new TimedFilesOptions(
          Duration.ofSeconds(1),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          256,
          "/proc/self/mountinfo",
          Bytes.EMPTY,
          BlockingListener.NONE);

  /** The same with another deadline. */
  public TimedFilesOptions withDeadline(Duration newDeadline) {
    return new TimedFilesOptions(
        newDeadline, slowAfter, reportAfter, maxThreads, mountInfo, root, listener);
  }

  /** The same with other bounds for slow answers and for what is told. */
  public TimedFilesOptions withThresholds(Duration newSlowAfter, Duration newReportAfter) {
    return new TimedFilesOptions(
        deadline, newSlowAfter, newReportAfter, maxThreads, mountInfo, root, listener);
  }

  /** The same with another bound of threads. */
  public TimedFilesOptions withMaxThreads(int newMaxThreads) {
    return new TimedFilesOptions(
        deadline, slowAfter, reportAfter, newMaxThreads, mountInfo, root, listener);
  }

  /** The same with the mounts of another process, which its root directory leads to. */
  public TimedFilesOptions withMountsOf(long pid) {
    return new TimedFilesOptions(
        deadline,
        slowAfter,
        reportAfter,
        maxThreads,
        "/proc/" + pid + "/mountinfo",
        Bytes.of("/proc/" + pid + "/root"),
        listener);
  }

  /** The same with somebody who is told. */
  public TimedFilesOptions withListener(BlockingListener newListener) {
    return new TimedFilesOptions(
        deadline, slowAfter, reportAfter, maxThreads, mountInfo, root, newListener);
  }
}
