package io.lifespan.process;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The processes that a table holds: those alive, and those ended that it remembers for a while.
 *
 * <p>An ended process passes two queues. While it settles, late events may still correct it; then
 * its end is told to the listeners. After that it is only remembered, so that children and late
 * events find it, and at last forgotten.
 */
final class Members {

  /** How long a concluded end waits for the event that says better. */
  private static final long CONCLUDED_SETTLE_NANOS = 500_000_000;

  private final ProcessMap live = new ProcessMap();
  private final ProcessMap remembered = new ProcessMap();
  private final ArrayDeque<TrackedProcess> settling = new ArrayDeque<>();
  private final ArrayDeque<TrackedProcess> concluded = new ArrayDeque<>();
  private final ArrayDeque<TrackedProcess> forgetting = new ArrayDeque<>();
  private final Counters counters;
  private final List<LifecycleListener> listeners;
  private final long settleNanos;
  private final long graceNanos;
  private final int maxRemembered;

  Members(TableOptions options, Counters counters, List<LifecycleListener> listeners) {
    this.counters = counters;
    this.listeners = listeners;
    this.settleNanos = options.settle().toNanos();
    this.graceNanos = options.grace().toNanos();
    this.maxRemembered = options.maxRemembered();
  }

  /** How many are alive. */
  int alive() {
    return live.size();
  }

  /** Those alive as of now, in no particular order. */
  List<TrackedProcess> allAlive() {
    return live.all();
  }

  /** Shows each that is alive to what does not end any. */
  void forEachAlive(Consumer<TrackedProcess> visitor) {
    live.forEach(visitor);
  }

  /** The process alive with this pid, or null. */
  @Nullable TrackedProcess find(int pid) {
    return live.get(pid);
  }

  /** The process with this pid that ended last, if it is still remembered, or null. */
  @Nullable TrackedProcess findEnded(int pid) {
    return remembered.get(pid);
  }

  /** The process with this pid that is alive, or ended last; or null. */
  @Nullable TrackedProcess findAny(int pid) {
    TrackedProcess process = live.get(pid);
    return process == null ? remembered.get(pid) : process;
  }

  /** Adds a process as alive. There must be none with its pid. */
  void add(TrackedProcess process) {
    live.put(process);
    process.lossesBefore = counters.eventsLost;
    counters.started++;
    counters.threadsAlive += process.threads;
  }

  void setThreads(TrackedProcess process, int threads) {
    counters.threadsAlive += threads - process.threads;
    process.threads = threads;
    process.peakThreads = Math.max(process.peakThreads, threads);
  }

  /** Ends a process: it is told to the listeners once it has settled. */
  void end(TrackedProcess process, long nanos, @Nullable WaitStatus status, Observed observed) {
    setThreads(process, 0);
    live.remove(process);
    process.endNanos = Math.max(nanos, process.startNanos);
    process.status = status;
    process.endObserved = observed;
    count(process, 1);
    (observed == Observed.EVENT ? settling : concluded).add(process);
    remembered.put(process);
    TrackedProcess parent = parentOf(process);
    if (parent != null) {
      parent.liveChildren--;
    }
  }

  /**
   * Puts right an end that was only concluded and has not been told yet: the event came after all.
   * False if it is too late.
   */
  boolean correctEnd(TrackedProcess process, long nanos, WaitStatus status) {
    if (process.told || process.endObserved == Observed.EVENT) {
      return false;
    }
    count(process, -1);
    process.endNanos = Math.max(nanos, process.startNanos);
    process.status = status;
    process.endObserved = Observed.EVENT;
    count(process, 1);
    return true;
  }

  /**
   * Takes an end back that has not been told yet: a thread was alive after all. False if it is too
   * late.
   */
  boolean revive(TrackedProcess process) {
    if (process.told || live.get(process.key.pid()) != null) {
      return false;
    }
    count(process, -1);
    (process.endObserved == Observed.EVENT ? settling : concluded).remove(process);
    process.endObserved = null;
    process.status = null;
    remembered.remove(process);
    live.put(process);
    TrackedProcess parent = parentOf(process);
    if (parent != null) {
      parent.liveChildren++;
    }
    return true;
  }

  /**
   * Tells the ends that have waited long enough by a time, and forgets what ended long before it.
   */
  void settle(long nanos) {
    tellBefore(settling, nanos - settleNanos);
    if (!concluded.isEmpty()) {
      tellBefore(concluded, nanos - CONCLUDED_SETTLE_NANOS);
    }
    while (!forgetting.isEmpty()) {
      boolean tooMany = forgetting.size() > maxRemembered;
      if (forgetting.element().endNanos > nanos - graceNanos && !tooMany) {
        break;
      }
      TrackedProcess forgotten = forgetting.remove();
      remembered.remove(forgotten);
      if (tooMany) {
        counters.evicted++;
      }
    }
  }

  /** Tells every end that has been seen, without waiting further. */
  void settleAll() {
    tellBefore(settling, Long.MAX_VALUE);
    tellBefore(concluded, Long.MAX_VALUE);
  }

  /** The process that made another, alive or remembered, or null. */
  @Nullable TrackedProcess parentOf(TrackedProcess process) {
    ProcessKey key = process.parentKey;
    if (key == null) {
      return null;
    }
    TrackedProcess parent = live.get(key.pid());
    if (parent != null && parent.key.equals(key)) {
      return parent;
    }
    parent = remembered.get(key.pid());
    return parent != null && parent.key.equals(key) ? parent : null;
  }

  private void count(TrackedProcess process, int by) {
    if (process.endObserved == Observed.INFERRED) {
      counters.lost += by;
    } else {
      counters.ended += by;
    }
  }

  private void tellBefore(ArrayDeque<TrackedProcess> queue, long nanos) {
    while (!queue.isEmpty() && queue.element().endNanos <= nanos) {
      TrackedProcess process = queue.remove();
      process.told = true;
      process.affectedByLoss = process.lossesBefore != counters.eventsLost;
      for (LifecycleListener listener : listeners) {
        listener.ended(process);
      }
      forgetting.add(process);
    }
  }
}
