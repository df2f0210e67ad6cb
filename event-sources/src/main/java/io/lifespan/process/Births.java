package io.lifespan.process;

import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How processes become known: by the event of their fork, or found in /proc. */
final class Births {

  private final Members members;
  private final Images images;
  private final Counters counters;
  private final List<LifecycleListener> listeners;
  private KernelClock clock;

  Births(
      Members members,
      Images images,
      Counters counters,
      List<LifecycleListener> listeners,
      KernelClock clock) {
    this.members = members;
    this.images = images;
    this.counters = counters;
    this.listeners = listeners;
    this.clock = clock;
  }

  void setClock(KernelClock clock) {
    this.clock = clock;
  }

  /** A process was made, by a parent that is known or not. None with its pid is alive. */
  TrackedProcess fork(ProcessEvent.Fork fork, @Nullable TrackedProcess parent) {
    TrackedProcess child =
        make(fork.childTgid(), startTicks(fork), fork.timeNanos(), Observed.EVENT);
    if (parent == null) {
      child.bareParentPid = fork.parentTgid();
    } else {
      child.image = parent.image;
      child.comm = parent.comm;
      bind(child, parent);
    }
    members.add(child);
    tellStarted(child, parent);
    return child;
  }

  /**
   * Takes what a fork event says of a process that was found in /proc before the event was read.
   *
   * @return false if the event is of another process with the same pid
   */
  boolean confirm(TrackedProcess known, ProcessEvent.Fork fork, @Nullable TrackedProcess parent) {
    if (known.startObserved == Observed.EVENT || !known.startedAt(startTicks(fork))) {
      return false;
    }
    known.startNanos = fork.timeNanos();
    known.startEpochNanos = clock.epochNanos(fork.timeNanos());
    known.startObserved = Observed.EVENT;
    TrackedProcess former = members.parentOf(known);
    if (former != null) {
      former.liveChildren--;
    }
    known.parentKey = null;
    if (parent == null) {
      known.bareParentPid = fork.parentTgid();
    } else {
      bind(known, parent);
      if (known.image == Image.UNKNOWN) {
        known.image = parent.image;
        known.comm = parent.comm;
      }
    }
    for (LifecycleListener listener : listeners) {
      listener.startConfirmed(known, parent);
    }
    return true;
  }

  /** Takes a process that its maker tells of. */
  TrackedProcess adopt(int pid, long startTicks, int parentPid) {
    TrackedProcess process = make(pid, startTicks, clock.monotonicNanos(startTicks), Observed.PROC);
    process.bareParentPid = parentPid;
    members.add(process);
    tellStarted(process, null);
    return process;
  }

  /**
   * Takes a process that no event told of from what /proc says of it.
   *
   * @return null if /proc did not tell enough
   */
  @Nullable TrackedProcess discover(int pid, ProcCapture capture, long nowNanos) {
    Bytes text = capture.get(ProcFile.STAT);
    ProcStat stat = text == null ? null : ProcStat.parse(text);
    if (stat == null) {
      return null;
    }
    TrackedProcess process =
        make(pid, stat.startTicks(), clock.monotonicNanos(stat.startTicks()), Observed.PROC);
    process.image = images.of(capture, stat);
    process.comm = process.image.comm();
    process.leaderExited = stat.isDead();
    process.leaderExitNanos = nowNanos;
    process.threads = stat.threadsAlive();
    process.peakThreads = process.threads;
    process.threadsReadNanos = nowNanos;
    return add(process, stat.parentPid());
  }

  /** Takes a process of which only the exit was seen: its start is unknown, no later than that. */
  TrackedProcess unseen(int pid, int parentPid, long nanos) {
    TrackedProcess process = make(pid, clock.ticks(nanos), nanos, Observed.INFERRED);
    return add(process, parentPid);
  }

  /** Adds a process whose fork was not seen; 0 is no parent. */
  private TrackedProcess add(TrackedProcess process, int parentPid) {
    TrackedProcess parent = parentPid > 0 ? members.findAny(parentPid) : null;
    if (parent != null) {
      process.parentKey = parent.key;
      parent.liveChildren++;
    } else if (parentPid > 0) {
      process.bareParentPid = parentPid;
    }
    members.add(process);
    tellStarted(process, parent);
    return process;
  }

  /**
   * Makes a process. Where its pid was another's within the same tick, /proc cannot tell the two
   * apart: the key of the later one then counts on, so that no two processes share one.
   */
  private TrackedProcess make(int pid, long ticks, long startNanos, Observed observed) {
    long keyTicks = ticks;
    TrackedProcess former = members.findEnded(pid);
    if (former != null) {
      counters.pidReuses++;
      keyTicks = Math.max(ticks, former.key.startTicks() + 1);
    }
    return new TrackedProcess(
        new ProcessKey(pid, keyTicks), ticks, startNanos, clock.epochNanos(startNanos), observed);
  }

  /**
   * The start of a forked process in ticks: as /proc told, where the source found the event's time
   * too close to a tick.
   */
  private long startTicks(ProcessEvent.Fork fork) {
    long ticks = clock.ticks(fork.timeNanos());
    if (fork.capture() != null) {
      Bytes text = fork.capture().get(ProcFile.STAT);
      ProcStat stat = text == null ? null : ProcStat.parse(text);
      if (stat != null && Math.abs(stat.startTicks() - ticks) <= 1) {
        return stat.startTicks();
      }
    }
    return ticks;
  }

  private static void bind(TrackedProcess child, TrackedProcess parent) {
    child.parentKey = parent.key;
    parent.forks++;
    parent.liveChildren++;
  }

  private void tellStarted(TrackedProcess process, @Nullable TrackedProcess parent) {
    for (LifecycleListener listener : listeners) {
      listener.started(process, parent);
    }
  }
}
