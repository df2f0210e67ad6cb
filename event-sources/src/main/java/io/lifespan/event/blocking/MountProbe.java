package io.lifespan.event.blocking;

import io.lifespan.libc.Errno;
import io.lifespan.procfs.MountPoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One mount under watch: its probe, and the state that follows from it. Late probes are judged by
 * the prober's thread, answers by the worker's.
 */
final class MountProbe {

  private final MountPoint mount;
  private final Place place;
  private final FilePath path;
  private final ProberOptions options;
  private final BlockingListener listener;
  private final Runnable onAnswer;
  private @Nullable Request<FileSystemStatus> outstanding;
  private long dueNanos;
  private MountState state = MountState.UNKNOWN;
  private long sinceNanos;
  private @Nullable Errno errno;
  private @Nullable Long lastProbeNanos;
  private long stuckSinceNanos;
  private long lostNanos;
  private boolean gone;

  /**
   * @param place the lane to its file system
   * @param path by which it is reached
   * @param dueNanos when it is to be probed first
   * @param onAnswer is run when a probe has returned
   */
  MountProbe(
      MountPoint mount,
      Place place,
      FilePath path,
      ProberOptions options,
      BlockingListener listener,
      long dueNanos,
      Runnable onAnswer) {
    this.mount = mount;
    this.place = place;
    this.path = path;
    this.options = options;
    this.listener = listener;
    this.onAnswer = onAnswer;
    this.dueNanos = dueNanos;
    this.sinceNanos = dueNanos;
  }

  /** How it fares. */
  synchronized MountHealth health() {
    return new MountHealth(mount, state, sinceNanos, errno, lastProbeNanos, lostNanos);
  }

  /** True while a probe is under way and not known to be late: those are few at a time. */
  synchronized boolean isHopeful() {
    return outstanding != null && state != MountState.STUCK && state != MountState.SLOW;
  }

  /** True if it is time for the next probe. */
  synchronized boolean isDue(long nowNanos) {
    return !gone && outstanding == null && nowNanos - dueNanos >= 0;
  }

  /** Hands a probe over. */
  void start() {
    Request<FileSystemStatus> request;
    synchronized (this) {
      request = place.lane().submit(FileCall.PROBE, path, place);
      outstanding = request;
    }
    request.whenAnswered(
        answer -> {
          answered(request, answer, System.nanoTime());
          onAnswer.run();
        });
  }

  /** Looks whether the probe is late: it, or the call that it waits behind. */
  synchronized void judge(long nowNanos) {
    Request<?> holding = place.lane().running();
    if (outstanding == null || holding == null || gone) {
      return;
    }
    long since = holding.blocked().sinceNanos();
    long age = nowNanos - since;
    if (age >= options.stuckAfter().toNanos()) {
      if (state != MountState.STUCK) {
        stuckSinceNanos = since;
        change(MountState.STUCK, since, null, 0, nowNanos);
      }
    } else if (age >= options.slowAfter().toNanos() && state != MountState.STUCK) {
      change(MountState.SLOW, since, null, 0, nowNanos);
    }
  }

  /** It is not there any more: a probe that still hangs is given up. */
  synchronized void end() {
    gone = true;
    if (outstanding != null) {
      place.lane().leave(outstanding);
    }
  }

  private synchronized void answered(Request<?> request, Timed<?> answer, long now) {
    if (gone || outstanding != request) {
      return;
    }
    outstanding = null;
    dueNanos = now + options.interval().toNanos();
    long took = request.tookNanos();
    lastProbeNanos = took;
    listener.mountProbed(mount, took);
    long lost = state == MountState.STUCK ? now - stuckSinceNanos : 0;
    lostNanos += lost;
    Errno error = FileCall.errno(answer);
    MountState next =
        error != null
            ? MountState.FAILING
            : took >= options.slowAfter().toNanos() ? MountState.SLOW : MountState.HEALTHY;
    change(next, now, error, lost, now);
  }

  private void change(
      MountState next, long since, @Nullable Errno error, long lost, long nowNanos) {
    if (next == state && Objects.equals(error, errno)) {
      return;
    }
    MountState from = state;
    state = next;
    sinceNanos = since;
    errno = error;
    listener.mountChanged(new MountChange(from, health(), lost, nowNanos));
  }
}
