package io.lifespan.process;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How processes end: the exits of their threads, counted until none is left. */
final class Ends {

  /**
   * A first thread that exits this long before the last has left a process that lived on; less is
   * how a group dies.
   */
  private static final long LEADER_LEFT_NANOS = 20_000_000;

  private static final long RECHECK_NANOS = 100_000_000;
  private static final int MAX_ORPHANS = 10_000;
  private static final int MAX_ANCESTORS = 64;

  private final TableOptions options;
  private final Members members;
  private final Births births;
  private final Counters counters;
  private final ProcReader reader;

  /** Processes whose first thread has exited while others live, as far as is known. */
  private final Set<TrackedProcess> leaderless = new LinkedHashSet<>();

  /** Exits whose process is not known: its fork may come yet. */
  private final Map<Integer, ProcessEvent.Exit> orphans = new LinkedHashMap<>();

  private long nextRecheckNanos = Long.MIN_VALUE;

  Ends(TableOptions options, Members members, Births births, Counters counters, ProcReader reader) {
    this.options = options;
    this.members = members;
    this.births = births;
    this.counters = counters;
    this.reader = reader;
  }

  /** A thread exited. */
  void exit(ProcessEvent.Exit exit) {
    TrackedProcess process = members.find(exit.tgid());
    if (process != null && process.startNanos <= exit.timeNanos()) {
      if (options.wholeLives() || isStill(process, exit)) {
        counters.hits++;
        exit(process, exit);
        return;
      }
      missed(process, exit.timeNanos());
      exitOfUnknown(exit);
      return;
    }
    TrackedProcess ended = members.findEnded(exit.tgid());
    if (ended != null && ended.startNanos <= exit.timeNanos()) {
      if (exit.pid() != exit.tgid()
          || !members.correctEnd(ended, exit.timeNanos(), new WaitStatus(exit.status()))) {
        counters.late++;
      }
      return;
    }
    if (exit.pid() == exit.tgid()) {
      exitOfUnknown(exit);
    } else {
      counters.unknown(options.scope());
    }
  }

  /** A whole process has ended. */
  void gone(ProcessEvent.Gone gone) {
    TrackedProcess process = members.find(gone.pid());
    if (process == null) {
      counters.unknown(options.scope());
      return;
    }
    counters.hits++;
    leaderless.remove(process);
    process.forgetLeaderExit();
    Integer status = gone.status();
    members.end(
        process,
        gone.timeNanos(),
        status == null ? null : new WaitStatus(status),
        gone.exact() ? Observed.EVENT : Observed.PROC);
  }

  /** Tells of the exit, seen already, of another process that had this pid before a time. */
  void endFormer(int pid, long nanos) {
    ProcessEvent.Exit exit = orphans.isEmpty() ? null : orphans.get(pid);
    if (exit != null && exit.timeNanos() < nanos) {
      orphans.remove(pid);
      endUnseen(exit);
    }
  }

  /** Ends a process whose exit came before its fork. */
  void endIfExited(TrackedProcess process) {
    ProcessEvent.Exit exit = orphans.isEmpty() ? null : orphans.remove(process.key.pid());
    if (exit != null) {
      exit(process, exit);
    }
  }

  /** Ends a process that cannot be alive any more: its pid is another's. */
  void missed(TrackedProcess process, long nanos) {
    leaderless.remove(process);
    members.end(process, nanos, null, Observed.INFERRED);
  }

  /**
   * Looks at a process from time to time: its first thread has exited and it is not certain who is
   * left.
   */
  void watch(TrackedProcess process) {
    leaderless.add(process);
  }

  void tick(long nowNanos) {
    if (nowNanos < nextRecheckNanos) {
      return;
    }
    nextRecheckNanos = nowNanos + RECHECK_NANOS;
    expireOrphans(nowNanos - options.settle().toNanos());
    for (TrackedProcess process : List.copyOf(leaderless)) {
      if (process.endObserved != null || !process.leaderExited) {
        leaderless.remove(process);
      } else if (nowNanos - process.leaderExitNanos >= RECHECK_NANOS) {
        recheck(process, nowNanos);
      }
    }
  }

  /** Gives up waiting for the forks of exits seen before a time. */
  void expireOrphans(long nanos) {
    while (!orphans.isEmpty()) {
      ProcessEvent.Exit oldest = orphans.values().iterator().next();
      if (oldest.timeNanos() > nanos) {
        return;
      }
      orphans.remove(oldest.tgid());
      endUnseen(oldest);
    }
  }

  private void exit(TrackedProcess process, ProcessEvent.Exit exit) {
    boolean leader = exit.pid() == exit.tgid();
    if (!leader && process.exitsOwed > 0) {
      process.exitsOwed--;
      return;
    }
    process.lastThreadStatus = new WaitStatus(exit.status());
    process.usage = exit.usage();
    if (leader) {
      if (!process.leaderExited) {
        process.leaderExited = true;
        process.leaderExitNanos = exit.timeNanos();
      }
      if (exit.parentTgid() > 0
          && process.parentPid() != null
          && exit.parentTgid() != process.parentPid()) {
        process.adoptedByPid = exit.parentTgid();
      }
    }
    ProcStat stat = statOf(exit.capture());
    boolean threadsTold = false;
    if (leader && stat != null && process.startedAt(stat.startTicks())) {
      threadsTold = true;
      members.setThreads(process, stat.threadsAlive());
    } else if (exit.timeNanos() > process.threadsReadNanos || leader) {
      members.setThreads(process, Math.max(0, process.threads - 1));
    }
    if (!process.leaderExited) {
      return;
    }
    if (process.threads == 0 && (threadsTold || !livesOn(process))) {
      end(process, exit.timeNanos());
    } else {
      if (leader) {
        process.addLifeEvent(
            new LifeEvent(exit.timeNanos(), EventKind.EXIT, null, exit.status(), 0));
      }
      leaderless.add(process);
    }
  }

  /**
   * Asks /proc where the count of threads may be wrong: of a process not followed from its start,
   * and after losses.
   */
  private boolean livesOn(TrackedProcess process) {
    boolean exact =
        process.threadsReadNanos == Long.MIN_VALUE && process.lossesBefore == counters.eventsLost;
    if (exact || process.peakThreads == 1) {
      return false;
    }
    ProcStat stat = statOf(reader.readStat(process.key.pid()));
    if (stat == null || !process.startedAt(stat.startTicks()) || stat.threadsAlive() == 0) {
      return false;
    }
    members.setThreads(process, stat.threadsAlive());
    return true;
  }

  private void end(TrackedProcess process, long nanos) {
    if (nanos - process.leaderExitNanos < LEADER_LEFT_NANOS) {
      process.forgetLeaderExit();
    }
    leaderless.remove(process);
    members.end(process, nanos, process.lastThreadStatus, Observed.EVENT);
  }

  private void recheck(TrackedProcess process, long nowNanos) {
    ProcStat stat = statOf(reader.readStat(process.key.pid()));
    if (stat == null || !process.startedAt(stat.startTicks())) {
      leaderless.remove(process);
      members.end(process, nowNanos, null, Observed.PROC);
    } else if (stat.threadsAlive() == 0) {
      leaderless.remove(process);
      members.end(process, nowNanos, WaitStatus.of(stat), Observed.PROC);
    } else if (process.threads != stat.threadsAlive()) {
      members.setThreads(process, stat.threadsAlive());
      process.threadsReadNanos = nowNanos;
    }
  }

  private void exitOfUnknown(ProcessEvent.Exit exit) {
    if (options.wholeLives()) {
      if (orphans.size() < MAX_ORPHANS) {
        orphans.put(exit.tgid(), exit);
      } else {
        endUnseen(exit);
      }
      return;
    }
    ProcStat stat = statOf(exit.capture());
    if (stat != null) {
      discoverAncestors(stat.parentPid(), exit.timeNanos());
    }
    TrackedProcess process =
        exit.capture() == null
            ? null
            : births.discover(exit.tgid(), exit.capture(), exit.timeNanos());
    if (process == null) {
      endUnseen(exit);
    } else {
      process.leaderExited = false;
      members.setThreads(process, process.threads + 1);
      exit(process, exit);
    }
  }

  /**
   * True if a process found in /proc is the one that exits: its former end may have passed unseen,
   * and its pid be another's. One that executed another program since then is known by that name.
   */
  private static boolean isStill(TrackedProcess process, ProcessEvent.Exit exit) {
    if (exit.pid() != exit.tgid()) {
      return true;
    }
    ProcStat stat = statOf(exit.capture());
    if (stat == null) {
      Integer parentPid = process.parentPid();
      return parentPid != null && parentPid == exit.parentTgid();
    }
    if (!process.startedAt(stat.startTicks())) {
      return false;
    }
    if (!Objects.equals(stat.comm(), process.comm)) {
      process.image = new Image(exit.capture(), stat.comm());
      process.comm = stat.comm();
    }
    return true;
  }

  /** Takes from /proc the parent of a process and its own parents, up to one that is known. */
  private void discoverAncestors(int parentPid, long nanos) {
    TrackedProcess known = members.find(parentPid);
    ProcStat present = known == null ? null : statOf(reader.readStat(parentPid));
    if (known != null && present != null && !known.startedAt(present.startTicks())) {
      missed(known, nanos);
    }
    Map<Integer, ProcCapture> unknown = new LinkedHashMap<>();
    int pid = parentPid;
    while (pid > 0 && members.find(pid) == null && unknown.size() < MAX_ANCESTORS) {
      ProcCapture capture = reader.read(pid);
      ProcStat stat = statOf(capture);
      if (stat == null || unknown.put(pid, capture) != null) {
        break;
      }
      pid = stat.parentPid();
    }
    List<Integer> eldestFirst = new ArrayList<>(unknown.keySet());
    Collections.reverse(eldestFirst);
    for (int each : eldestFirst) {
      births.discover(each, Objects.requireNonNull(unknown.get(each)), nanos);
    }
  }

  /**
   * Tells of a process of which nothing but its exit was seen; in a subtree that cannot be known to
   * be one of it.
   */
  private void endUnseen(ProcessEvent.Exit exit) {
    counters.unknown(options.scope());
    if (options.scope() == TableOptions.Scope.NODE && members.find(exit.tgid()) == null) {
      TrackedProcess process = births.unseen(exit.tgid(), exit.parentTgid(), exit.timeNanos());
      members.end(process, exit.timeNanos(), new WaitStatus(exit.status()), Observed.EVENT);
    }
  }

  private static @Nullable ProcStat statOf(@Nullable ProcCapture capture) {
    Bytes text = capture == null ? null : capture.get(ProcFile.STAT);
    return text == null ? null : ProcStat.parse(text);
  }
}
