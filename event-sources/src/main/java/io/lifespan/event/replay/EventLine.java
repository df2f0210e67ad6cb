package io.lifespan.event.replay;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.ProcCapture;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One event as a line of text: its kind, {@code t=} with the time in nanoseconds of
 * CLOCK_MONOTONIC, its fields under the kernel's names, then what was captured.
 */
final class EventLine {

  private static final String LOSS = "loss";
  private static final String FOUND = "found";
  private static final String GONE = "gone";

  private EventLine() {}

  static String write(ProcessEvent event) {
    EventKind kind = event.kind();
    StringBuilder line = new StringBuilder(64);
    line.append(name(event, kind)).append(" t=").append(event.timeNanos());
    if (event instanceof ProcessEvent.Fork fork) {
      field(line, "parent_pid", fork.parentPid());
      field(line, "parent_tgid", fork.parentTgid());
      field(line, "child_pid", fork.childPid());
      field(line, "child_tgid", fork.childTgid());
      Fields.append(line, fork.capture());
    } else if (event instanceof ProcessEvent.Exec exec) {
      task(line, exec.pid(), exec.tgid());
      if (exec.formerPeakBytes() > 0) {
        field(line, "former_peak", exec.formerPeakBytes());
      }
      Fields.append(line, exec.capture());
    } else if (event instanceof ProcessEvent.Exit exit) {
      task(line, exit.pid(), exit.tgid());
      field(line, "status", exit.status());
      field(line, "exit_signal", exit.exitSignal());
      field(line, "parent_pid", exit.parentPid());
      field(line, "parent_tgid", exit.parentTgid());
      UsageFields.append(line, exit.usage());
      Fields.append(line, exit.capture());
    } else if (event instanceof ProcessEvent.Found found) {
      field(line, "pid", found.pid());
      Fields.append(line, found.capture());
    } else if (event instanceof ProcessEvent.Gone gone) {
      field(line, "pid", gone.pid());
      Integer status = gone.status();
      field(line, "known", status == null ? 0 : 1);
      field(line, "status", status == null ? 0 : status);
      field(line, "exact", gone.exact() ? 1 : 0);
    } else {
      writeChange(line, event);
    }
    return line.toString();
  }

  private static String name(ProcessEvent event, @Nullable EventKind kind) {
    if (event instanceof ProcessEvent.Found) {
      return FOUND;
    }
    if (event instanceof ProcessEvent.Gone) {
      return GONE;
    }
    return kind == null ? LOSS : kind.settingName();
  }

  private static void writeChange(StringBuilder line, ProcessEvent event) {
    if (event instanceof ProcessEvent.Uid uid) {
      task(line, uid.pid(), uid.tgid());
      field(line, "real", uid.realId());
      field(line, "effective", uid.effectiveId());
    } else if (event instanceof ProcessEvent.Gid gid) {
      task(line, gid.pid(), gid.tgid());
      field(line, "real", gid.realId());
      field(line, "effective", gid.effectiveId());
    } else if (event instanceof ProcessEvent.Sid sid) {
      task(line, sid.pid(), sid.tgid());
    } else if (event instanceof ProcessEvent.Ptrace ptrace) {
      task(line, ptrace.pid(), ptrace.tgid());
      field(line, "tracer_pid", ptrace.tracerPid());
      field(line, "tracer_tgid", ptrace.tracerTgid());
    } else if (event instanceof ProcessEvent.Comm comm) {
      task(line, comm.pid(), comm.tgid());
      line.append(" comm=");
      Fields.encode(line, comm.comm());
    } else if (event instanceof ProcessEvent.CoreDump dump) {
      task(line, dump.pid(), dump.tgid());
      field(line, "parent_pid", dump.parentPid());
      field(line, "parent_tgid", dump.parentTgid());
    } else if (event instanceof ProcessEvent.Loss loss) {
      field(line, "count", loss.count());
      line.append(" where=").append(loss.where());
    }
  }

  /** Reads a line; null if its first word names no event. */
  static @Nullable ProcessEvent read(String line) throws MalformedRecordingException {
    String name = line.split(" ", 2)[0];
    Fields f = Fields.read(line);
    long t = f.number("t");
    if (name.equals(LOSS)) {
      return new ProcessEvent.Loss(t, f.number("count"), f.where());
    }
    if (name.equals(FOUND)) {
      ProcCapture capture = f.capture();
      return new ProcessEvent.Found(
          t, f.integer("pid"), capture == null ? new ProcCapture() : capture);
    }
    if (name.equals(GONE)) {
      Integer status = f.integer("known") == 1 ? (Integer) f.integer("status") : null;
      return new ProcessEvent.Gone(t, f.integer("pid"), status, f.integer("exact") == 1);
    }
    EventKind kind;
    try {
      kind = EventKind.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException unknown) {
      return null;
    }
    if (kind == EventKind.FORK) {
      return new ProcessEvent.Fork(
          t,
          f.integer("parent_pid"),
          f.integer("parent_tgid"),
          f.integer("child_pid"),
          f.integer("child_tgid"),
          f.capture());
    }
    int pid = f.integer("pid");
    int tgid = f.integer("tgid");
    return switch (kind) {
      case EXEC ->
          new ProcessEvent.Exec(
              t, pid, tgid, f.capture(), f.has("former_peak") ? f.number("former_peak") : 0);
      case UID -> new ProcessEvent.Uid(t, pid, tgid, f.integer("real"), f.integer("effective"));
      case GID -> new ProcessEvent.Gid(t, pid, tgid, f.integer("real"), f.integer("effective"));
      case SID -> new ProcessEvent.Sid(t, pid, tgid);
      case PTRACE ->
          new ProcessEvent.Ptrace(t, pid, tgid, f.integer("tracer_pid"), f.integer("tracer_tgid"));
      case COMM -> new ProcessEvent.Comm(t, pid, tgid, f.bytes("comm"));
      case COREDUMP ->
          new ProcessEvent.CoreDump(
              t, pid, tgid, f.integer("parent_pid"), f.integer("parent_tgid"));
      case EXIT ->
          new ProcessEvent.Exit(
              t,
              pid,
              tgid,
              f.integer("status"),
              f.integer("exit_signal"),
              f.integer("parent_pid"),
              f.integer("parent_tgid"),
              f.capture(),
              UsageFields.read(f));
      case FORK -> null;
    };
  }

  private static void task(StringBuilder line, int pid, int tgid) {
    field(line, "pid", pid);
    field(line, "tgid", tgid);
  }

  private static void field(StringBuilder line, String name, long value) {
    line.append(' ').append(name).append('=').append(value);
  }
}
