package io.lifespan.process;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import java.util.List;

/** What happens within the lives of processes: new ids, names, sessions, tracers, core dumps. */
final class Changes {

  private final TableOptions options;
  private final Members members;
  private final Counters counters;
  private final List<LifecycleListener> listeners;

  Changes(
      TableOptions options, Members members, Counters counters, List<LifecycleListener> listeners) {
    this.options = options;
    this.members = members;
    this.counters = counters;
    this.listeners = listeners;
  }

  /** Takes an event that is neither a fork nor an exec nor an exit. */
  void change(ProcessEvent event) {
    if (event instanceof ProcessEvent.Uid uid) {
      change(uid.pid(), uid.tgid(), uid, uid.realId(), uid.effectiveId());
    } else if (event instanceof ProcessEvent.Gid gid) {
      change(gid.pid(), gid.tgid(), gid, gid.realId(), gid.effectiveId());
    } else if (event instanceof ProcessEvent.Sid sid) {
      change(sid.pid(), sid.tgid(), sid, 0, 0);
    } else if (event instanceof ProcessEvent.Ptrace ptrace) {
      change(ptrace.pid(), ptrace.tgid(), ptrace, ptrace.tracerTgid(), 0);
    } else if (event instanceof ProcessEvent.CoreDump dump) {
      change(dump.tgid(), dump.tgid(), dump, 0, 0);
    } else if (event instanceof ProcessEvent.Comm comm) {
      change(comm.pid(), comm.tgid(), comm, 0, 0);
    }
  }

  /**
   * Notes a change of the whole process; changes of a thread other than the first are the thread's
   * own.
   */
  private void change(int pid, int tgid, ProcessEvent event, int first, int second) {
    EventKind kind = event.kind();
    if (pid != tgid || kind == null) {
      return;
    }
    TrackedProcess process = members.find(pid);
    if (process == null) {
      counters.unknown(options.scope());
      return;
    }
    counters.hits++;
    Bytes formerName = null;
    if (event instanceof ProcessEvent.Comm comm) {
      formerName = process.comm;
      process.comm = comm.comm();
    }
    LifeEvent change = new LifeEvent(event.timeNanos(), kind, formerName, first, second);
    process.addLifeEvent(change);
    for (LifecycleListener listener : listeners) {
      listener.changed(process, change);
    }
  }
}
