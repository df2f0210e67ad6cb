package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.ProcCapture;
import org.jspecify.annotations.Nullable;

/** Makes the event record of a message. */
final class ProcEventDecoder {

  private ProcEventDecoder() {}

  /**
   * The event of a message of that kind.
   *
   * @param capture what was read for it; kinds that carry none ignore it
   */
  static ProcessEvent decode(ProcEventFlyweight m, EventKind kind, @Nullable ProcCapture capture) {
    long time = m.timeNanos();
    int pid = m.pid();
    int tgid = m.tgid();
    return switch (kind) {
      case FORK ->
          new ProcessEvent.Fork(
              time,
              m.forkParentPid(),
              m.forkParentTgid(),
              m.forkChildPid(),
              m.forkChildTgid(),
              capture);
      case EXEC -> new ProcessEvent.Exec(time, pid, tgid, capture);
      case UID -> new ProcessEvent.Uid(time, pid, tgid, m.realId(), m.effectiveId());
      case GID -> new ProcessEvent.Gid(time, pid, tgid, m.realId(), m.effectiveId());
      case SID -> new ProcessEvent.Sid(time, pid, tgid);
      case PTRACE -> new ProcessEvent.Ptrace(time, pid, tgid, m.tracerPid(), m.tracerTgid());
      case COMM -> new ProcessEvent.Comm(time, pid, tgid, m.comm());
      case COREDUMP ->
          new ProcessEvent.CoreDump(time, pid, tgid, m.coreDumpParentPid(), m.coreDumpParentTgid());
      case EXIT ->
          new ProcessEvent.Exit(
              time,
              pid,
              tgid,
              m.exitCode(),
              m.exitSignal(),
              m.exitParentPid(),
              m.exitParentTgid(),
              capture);
    };
  }
}
