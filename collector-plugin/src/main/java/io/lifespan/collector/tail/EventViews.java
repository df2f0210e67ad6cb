package io.lifespan.collector.tail;

import io.lifespan.collector.tree.CommandText;
import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Completes events with what the process table knows. Belongs to the table's thread. */
final class EventViews {

  private static final String LOSS = "loss";

  /** A process that was found, or was gone: nobody told when it was made, or how it ended. */
  private static final String FOUND = "found";

  private static final String GONE = "gone";

  private final ProcessTable table;
  private final KernelClock clock;
  private final Function<TrackedProcess, CommandText> commands;

  EventViews(
      ProcessTable table, KernelClock clock, Function<TrackedProcess, CommandText> commands) {
    this.table = table;
    this.clock = clock;
    this.commands = commands;
  }

  /** The view of an event as of now. */
  EventView of(ProcessEvent event) {
    if (event instanceof ProcessEvent.Fork fork) {
      Integer parent = fork.isProcess() ? fork.parentTgid() : null;
      return view(event, fork.childPid(), fork.childTgid(), parent, null, Map.of());
    }
    if (event instanceof ProcessEvent.Exec exec) {
      return view(event, exec.pid(), exec.tgid(), Map.of());
    }
    if (event instanceof ProcessEvent.Exit exit) {
      Integer parent = exit.parentTgid() == 0 ? null : exit.parentTgid();
      WaitStatus status = new WaitStatus(exit.status());
      return view(event, exit.pid(), exit.tgid(), parent, status, Map.of());
    }
    if (event instanceof ProcessEvent.Found found) {
      return view(event, found.pid(), found.pid(), Map.of());
    }
    if (event instanceof ProcessEvent.Gone gone) {
      WaitStatus status = gone.status() == null ? null : new WaitStatus(gone.status());
      return view(event, gone.pid(), gone.pid(), null, status, Map.of());
    }
    if (event instanceof ProcessEvent.CoreDump dump) {
      return view(event, dump.pid(), dump.tgid(), dump.parentTgid(), null, Map.of());
    }
    return change(event);
  }

  private EventView change(ProcessEvent event) {
    if (event instanceof ProcessEvent.Uid uid) {
      return view(event, uid.pid(), uid.tgid(), ids(uid.realId(), uid.effectiveId()));
    }
    if (event instanceof ProcessEvent.Gid gid) {
      return view(event, gid.pid(), gid.tgid(), ids(gid.realId(), gid.effectiveId()));
    }
    if (event instanceof ProcessEvent.Sid sid) {
      return view(event, sid.pid(), sid.tgid(), Map.of());
    }
    if (event instanceof ProcessEvent.Ptrace ptrace) {
      Map<String, Long> tracer = Map.of("tracer_pid", (long) ptrace.tracerTgid());
      return view(event, ptrace.pid(), ptrace.tgid(), tracer);
    }
    if (event instanceof ProcessEvent.Comm comm) {
      return view(event, comm.pid(), comm.tgid(), Map.of());
    }
    long lost = event instanceof ProcessEvent.Loss loss ? loss.count() : 0;
    long epochNanos = clock.epochNanos(event.timeNanos());
    return new EventView(
        epochNanos, LOSS, null, null, null, null, null, Map.of("events_lost", lost));
  }

  private EventView view(ProcessEvent event, int thread, int pid, Map<String, Long> details) {
    return view(event, thread, pid, null, null, details);
  }

  private EventView view(
      ProcessEvent event,
      int thread,
      int pid,
      @Nullable Integer parentPid,
      @Nullable WaitStatus status,
      Map<String, Long> details) {
    TrackedProcess process = table.find(pid);
    Integer parent = process == null ? null : process.parentPid();
    return new EventView(
        clock.epochNanos(event.timeNanos()),
        name(event),
        pid,
        thread == pid ? null : thread,
        parent == null ? parentPid : parent,
        process == null ? null : commands.apply(process),
        status,
        details);
  }

  private static String name(ProcessEvent event) {
    if (event instanceof ProcessEvent.Found) {
      return FOUND;
    }
    if (event instanceof ProcessEvent.Gone) {
      return GONE;
    }
    EventKind kind = event.kind();
    return kind == null ? LOSS : kind.settingName();
  }

  private static Map<String, Long> ids(int realId, int effectiveId) {
    Map<String, Long> ids = new LinkedHashMap<>();
    ids.put("real_id", Integer.toUnsignedLong(realId));
    ids.put("effective_id", Integer.toUnsignedLong(effectiveId));
    return ids;
  }
}
