package io.lifespan.event.ptrace;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.EventSink;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceCounters;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.Ptrace;
import io.lifespan.libc.Signal;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every thread that is followed, and what their stops mean. The kernel may tell of a new thread
 * before its maker's stop says who made it: it is then held until that one came, or until nothing
 * else is left to be told.
 */
final class Tracees {

  private static final int SIGCHLD = 17;
  private static final int CORE_DUMPED = 0x80;
  private static final int NOBODY = -1;

  private final Ptrace ptrace;
  private final ProcFsReader procFs;
  private final Births births;
  private final EventSelection selection;
  private final SourceCounters counters;

  private final Map<Integer, Tracee> followed = new HashMap<>();

  /** The raw status of those that stopped before anything was known of them. */
  private final Map<Integer, Integer> early = new HashMap<>();

  /** Those that were killed before anything was known of them. */
  private final Set<Integer> endedEarly = new HashSet<>();

  /**
   * Those that were let go on without their makers' word: on a busy machine it may come after they
   * have ended.
   */
  private final Set<Integer> untold = new HashSet<>();

  private EventSink sink = event -> {};
  private int delivered;

  Tracees(
      Ptrace ptrace,
      ProcFsReader procFs,
      Births births,
      EventSelection selection,
      SourceCounters counters) {
    this.ptrace = ptrace;
    this.procFs = procFs;
    this.births = births;
    this.selection = selection;
    this.counters = counters;
  }

  boolean isEmpty() {
    return followed.isEmpty() && early.isEmpty();
  }

  /** Takes the command's process, which is followed from now on until it executes its program. */
  void root(int pid, int parentPid) {
    clear();
    followed.put(pid, new Tracee(pid, pid, parentPid));
  }

  /** The kernel follows none any more. */
  void clear() {
    followed.clear();
    early.clear();
    endedEarly.clear();
    untold.clear();
  }

  /** Takes what the kernel told of a thread; the events go to the sink. Returns how many. */
  int take(int tid, int status, EventSink to) {
    begin(to);
    if ((status & 0xff) == 0x7f) {
      Tracee tracee = followed.get(tid);
      if (tracee == null) {
        early.put(tid, status);
        endedEarly.remove(tid);
        untold.remove(tid);
      } else {
        stopped(tracee, status);
      }
    } else {
      ended(tid, status);
    }
    return delivered;
  }

  /** Nothing else is to be told for now: lets those go on whose makers have told nothing. */
  int settle(EventSink to) {
    begin(to);
    if (!early.isEmpty()) {
      for (int tid : List.copyOf(early.keySet())) {
        untold.add(tid);
        ProcStatus found = births.status(tid);
        if (found != null && found.tgid() != null && found.parentPid() != null) {
          if (found.tgid() == tid) {
            addProcess(tid, found.parentPid(), found.parentPid());
          } else {
            add(new Tracee(tid, found.tgid(), 0));
          }
        } else {
          ptrace.resume(tid, 0);
          early.remove(tid);
        }
      }
    }
    return delivered;
  }

  private void begin(EventSink to) {
    sink = to;
    delivered = 0;
  }

  private void stopped(Tracee tracee, int status) {
    int signal = status >> 8 & 0xff;
    switch (status >> 16) {
      case 0 -> ptrace.resume(tracee.tid, signal);
      case Ptrace.EVENT_STOP -> {
        if (signal == Signal.TRAP) {
          ptrace.resume(tracee.tid, 0);
        } else {
          ptrace.leaveStopped(tracee.tid);
        }
      }
      case Ptrace.EVENT_EXEC -> {
        executed(tracee);
        ptrace.resume(tracee.tid, 0);
      }
      case Ptrace.EVENT_FORK, Ptrace.EVENT_VFORK, Ptrace.EVENT_CLONE -> {
        made(tracee, ptrace.subject(tracee.tid), status >> 16 == Ptrace.EVENT_CLONE);
        ptrace.resume(tracee.tid, 0);
      }
      default -> ptrace.resume(tracee.tid, 0);
    }
  }

  /** While it is stopped: all of it can be read. */
  private void executed(Tracee process) {
    long nanos = System.nanoTime();
    int formerTid = ptrace.subject(process.tid);
    if (formerTid != process.tid) {
      followed.remove(formerTid);
    }
    ptrace.setOptions(process.tid, Ptrace.TRACE_LIFE);
    tell(new ProcessEvent.Exec(nanos, process.tgid, process.tgid, procFs.read(process.tgid)));
  }

  private void made(Tracee maker, int tid, boolean maybeThread) {
    if (tid == 0 || untold.remove(tid) || followed.containsKey(tid)) {
      return;
    }
    if (maybeThread) {
      ProcStatus found = births.status(tid);
      if (found == null || found.tgid() == null || found.tgid() == maker.tgid) {
        if (!endedEarly.remove(tid)) {
          add(new Tracee(tid, maker.tgid, 0));
        }
        return;
      }
    }
    addProcess(tid, maker.tid, maker.tgid);
  }

  private void addProcess(int pid, int parentTid, int parentTgid) {
    Tracee maker = followed.get(parentTgid);
    int grandparent =
        maker != null && followed.containsKey(maker.parentTgid) ? maker.parentTgid : NOBODY;
    ProcessEvent.Fork fork =
        births.fork(parentTid, parentTgid, grandparent, pid, System.nanoTime());
    tell(fork);
    if (endedEarly.remove(pid)) {
      return;
    }
    Tracee parent = followed.get(fork.parentTgid());
    if (parent != null) {
      parent.liveChildren++;
    }
    add(new Tracee(pid, pid, fork.parentTgid()));
  }

  private void add(Tracee tracee) {
    followed.put(tracee.tid, tracee);
    Integer status = early.remove(tracee.tid);
    if (status != null) {
      stopped(tracee, status);
    }
  }

  private void ended(int tid, int status) {
    Tracee tracee = followed.remove(tid);
    early.remove(tid);
    if (tracee == null) {
      endedEarly.add(tid);
      tellEnd(tid, status, 0);
    } else if (tracee.isProcess()) {
      tellEnd(tid, status, tracee.parentTgid);
      Tracee parent = followed.get(tracee.parentTgid);
      if (parent != null) {
        parent.liveChildren--;
      }
      if (tracee.liveChildren > 0) {
        adopted(tid);
      }
    }
  }

  private void tellEnd(int pid, int status, int parent) {
    long nanos = System.nanoTime();
    if ((status & 0x7f) != 0 && (status & CORE_DUMPED) != 0) {
      tell(new ProcessEvent.CoreDump(nanos, pid, pid, parent, parent));
    }
    if (status != 0 || !selection.failedExitsOnly()) {
      tell(new ProcessEvent.Exit(nanos, pid, pid, status, SIGCHLD, parent, parent, null));
    }
  }

  /** The children of a process that is no more belong to somebody else by now. */
  private void adopted(int formerParent) {
    for (Tracee tracee : followed.values()) {
      if (tracee.isProcess() && tracee.parentTgid == formerParent) {
        Integer adopter = parentOf(tracee.tid);
        if (adopter != null) {
          tracee.parentTgid = adopter;
          Tracee parent = followed.get(adopter);
          if (parent != null) {
            parent.liveChildren++;
          }
        }
      }
    }
  }

  private @Nullable Integer parentOf(int pid) {
    Bytes text = procFs.readStat(pid).get(ProcFile.STAT);
    ProcStat stat = text == null ? null : ProcStat.parse(text);
    return stat == null ? null : (Integer) stat.parentPid();
  }

  private void tell(ProcessEvent event) {
    EventKind kind = event.kind();
    if (kind != null && selection.kinds().contains(kind)) {
      sink.accept(event);
      counters.delivered(kind);
      delivered++;
    }
  }
}
