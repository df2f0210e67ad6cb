package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the table agree with /proc: at the start, and after events were lost. */
final class Repair {

  private final TableOptions options;
  private final Members members;
  private final Births births;
  private final ProcReader reader;
  private int scans;

  Repair(TableOptions options, Members members, Births births, ProcReader reader) {
    this.options = options;
    this.members = members;
    this.births = births;
    this.reader = reader;
  }

  /** Takes what is alive and not known, ends what is known and not alive. */
  void scan(long nowNanos) {
    scans++;
    List<Found> found = new ArrayList<>();
    reader.list(
        pid -> {
          ProcStat stat = stat(pid);
          if (stat != null && stat.threadsAlive() == 0) {
            bury(pid, stat, nowNanos);
          } else if (stat != null) {
            compare(pid, stat, nowNanos, found);
          }
        });
    for (TrackedProcess process : members.allAlive()) {
      if (process.foundByScan != scans && process.startNanos < nowNanos) {
        members.end(process, nowNanos, null, Observed.INFERRED);
      }
    }
    found.sort(Comparator.comparingLong(Found::startTicks).thenComparing(Found::pid));
    for (Found each : found) {
      if (options.scope() == TableOptions.Scope.NODE || members.find(each.parentPid) != null) {
        discover(each.pid, nowNanos);
      }
    }
  }

  /** Takes one process from /proc; null if it is gone. */
  @Nullable TrackedProcess discover(int pid, long nowNanos) {
    ProcCapture capture = reader.read(pid);
    return capture.isEmpty() ? null : births.discover(pid, capture, nowNanos);
  }

  private void compare(int pid, ProcStat stat, long nowNanos, List<Found> found) {
    TrackedProcess known = members.find(pid);
    if (known != null && !known.startedAt(stat.startTicks())) {
      members.end(known, nowNanos, null, Observed.INFERRED);
      known = null;
    }
    if (known == null) {
      found.add(new Found(pid, stat.parentPid(), stat.startTicks()));
    } else {
      members.setThreads(known, Math.max(1, stat.threadsAlive()));
      known.foundByScan = scans;
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

  private record Found(int pid, int parentPid, long startTicks) {}
}
