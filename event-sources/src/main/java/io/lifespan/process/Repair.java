package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the table agree with /proc: at the start, and after events were lost. */
final class Repair {

  private final TableOptions options;
  private final Members members;
  private final Births births;
  private final ProcReader reader;

  Repair(TableOptions options, Members members, Births births, ProcReader reader) {
    this.options = options;
    this.members = members;
    this.births = births;
    this.reader = reader;
  }

  /** Takes what is alive and not known, ends what is known and not alive. */
  void scan(long nowNanos) {
    Set<Integer> seen = new HashSet<>();
    List<Found> found = new ArrayList<>();
    reader.list(
        pid -> {
          ProcStat stat = stat(pid);
          if (stat != null && stat.threadsAlive() == 0) {
            bury(pid, stat, nowNanos);
          } else if (stat != null) {
            seen.add(pid);
            compare(new Found(pid, stat), nowNanos, found);
          }
        });
    for (TrackedProcess process : List.copyOf(members.alive())) {
      if (!seen.contains(process.key.pid()) && process.startNanos < nowNanos) {
        members.end(process, nowNanos, null, Observed.INFERRED);
      }
    }
    found.sort(
        Comparator.comparingLong((Found each) -> each.stat.startTicks()).thenComparing(Found::pid));
    for (Found each : found) {
      if (options.scope() == TableOptions.Scope.NODE
          || members.find(each.stat.parentPid()) != null) {
        discover(each.pid, nowNanos);
      }
    }
  }

  /** Takes one process from /proc; null if it is gone. */
  @Nullable TrackedProcess discover(int pid, long nowNanos) {
    ProcCapture capture = reader.read(pid);
    return capture.isEmpty() ? null : births.discover(pid, capture, nowNanos);
  }

  private void compare(Found each, long nowNanos, List<Found> found) {
    TrackedProcess known = members.find(each.pid);
    if (known == null) {
      found.add(each);
    } else if (!known.startedAt(each.stat.startTicks())) {
      members.end(known, nowNanos, null, Observed.INFERRED);
      found.add(each);
    } else {
      members.setThreads(known, Math.max(1, each.stat.threadsAlive()));
      known.exitsOwed = 0;
      known.threadsReadNanos = nowNanos;
    }
  }

  /**
   * Ends a process that waits as a zombie to be reaped: that it ended, and how, can still be read.
   */
  private void bury(int pid, ProcStat stat, long nowNanos) {
    TrackedProcess known = members.find(pid);
    if (known != null && known.startedAt(stat.startTicks())) {
      members.end(known, nowNanos, WaitStatus.of(stat), Observed.PROC);
    }
  }

  private @Nullable ProcStat stat(int pid) {
    Bytes text = reader.readStat(pid).get(ProcFile.STAT);
    return text == null ? null : ProcStat.parse(text);
  }

  private record Found(int pid, ProcStat stat) {}
}
