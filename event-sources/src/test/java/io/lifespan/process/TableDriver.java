package io.lifespan.process;

import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Drives a table with events told in milliseconds, and keeps what it tells. */
final class TableDriver implements LifecycleListener {

  static final long TICKS_PER_MILLI_DIVISOR = 10;

  final FakeProc proc = new FakeProc();
  final List<TrackedProcess> started = new ArrayList<>();
  final List<TrackedProcess> executed = new ArrayList<>();
  final List<TrackedProcess> ended = new ArrayList<>();
  final List<LifeEvent> changes = new ArrayList<>();
  long epochOffsetNanos = 1_700_000_000_000_000_000L;
  final ProcessTable table;

  TableDriver(TableOptions options) {
    table =
        new ProcessTable(
            options, proc, () -> new KernelClock(epochOffsetNanos, 0, 100), List.of(this));
  }

  static TableDriver node() {
    return new TableDriver(TableOptions.of(TableOptions.Scope.NODE));
  }

  static TableDriver subtree() {
    return new TableDriver(TableOptions.of(TableOptions.Scope.SUBTREE));
  }

  static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  TableDriver fork(long millis, int parent, int child) {
    table.apply(new ProcessEvent.Fork(nanos(millis), parent, parent, child, child, null));
    return this;
  }

  /** The parent fields of a thread's fork name the process's parent. */
  TableDriver thread(long millis, int parent, int tgid, int tid) {
    table.apply(new ProcessEvent.Fork(nanos(millis), parent, parent, tid, tgid, null));
    return this;
  }

  TableDriver exec(long millis, int pid, String comm) {
    TrackedProcess process = table.find(pid);
    long ticks = process == null ? millis / TICKS_PER_MILLI_DIVISOR : process.key().startTicks();
    return exec(millis, pid, FakeProc.capture(pid, 1, comm, ticks));
  }

  TableDriver exec(long millis, int pid, @Nullable ProcCapture capture) {
    table.apply(new ProcessEvent.Exec(nanos(millis), pid, pid, capture));
    return this;
  }

  TableDriver comm(long millis, int pid, int tid, String comm) {
    table.apply(new ProcessEvent.Comm(nanos(millis), tid, pid, Bytes.of(comm)));
    return this;
  }

  TableDriver exit(long millis, int pid, int status, int parent) {
    table.apply(new ProcessEvent.Exit(nanos(millis), pid, pid, status, 17, parent, parent, null));
    return this;
  }

  TableDriver threadExit(long millis, int tgid, int tid, int status) {
    table.apply(new ProcessEvent.Exit(nanos(millis), tid, tgid, status, -1, 0, 0, null));
    return this;
  }

  TableDriver lose(long millis, long count) {
    table.apply(
        new ProcessEvent.Loss(nanos(millis), count, ProcessEvent.Loss.Where.RECEIVE_BUFFER));
    return this;
  }

  TableDriver tick(long millis) {
    table.tick(nanos(millis));
    return this;
  }

  TableDriver settle() {
    table.settleAll();
    return this;
  }

  TrackedProcess onlyEnded() {
    if (ended.size() != 1) {
      throw new AssertionError("ended: " + ended.size());
    }
    return ended.get(0);
  }

  @Override
  public void started(TrackedProcess process, @Nullable TrackedProcess parent) {
    started.add(process);
  }

  @Override
  public void executed(TrackedProcess process) {
    executed.add(process);
  }

  @Override
  public void ended(TrackedProcess process) {
    ended.add(process);
  }

  @Override
  public void changed(TrackedProcess process, LifeEvent event) {
    changes.add(event);
  }
}
