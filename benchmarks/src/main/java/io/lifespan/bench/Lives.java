package io.lifespan.bench;

import io.lifespan.event.ProcessEvent;
import io.lifespan.libc.Errno;
import io.lifespan.process.KernelClock;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Feeds a process table with made-up lives, as a busy machine would: fork, exec, exit, pids used
 * round and round.
 */
final class Lives {

  private static final int PARENT = 100;
  private static final int FIRST_PID = 1_000;
  private static final int PIDS = 4_000_000;
  private static final long NANOS_BETWEEN = 30_000;

  private final ProcessTable table;
  private long nanos = 1_000_000_000L;
  private int first = FIRST_PID;
  private int next;

  Lives(LifecycleListener... listeners) {
    table =
        new ProcessTable(
            TableOptions.of(TableOptions.Scope.NODE),
            new Nobody(),
            () -> new KernelClock(0, 0, 100),
            List.of(listeners));
    table.apply(new ProcessEvent.Fork(nanos, 1, 1, PARENT, PARENT, null));
  }

  ProcessTable table() {
    return table;
  }

  /** Never uses the pids again that were used so far. */
  void keepAlive() {
    first += next;
    next = 0;
  }

  /** A process is made; returns its pid. */
  int fork() {
    int pid = first + next++ % PIDS;
    table.apply(new ProcessEvent.Fork(tick(), PARENT, PARENT, pid, pid, null));
    return pid;
  }

  void exec(int pid) {
    table.apply(new ProcessEvent.Exec(tick(), pid, pid, capture(pid)));
  }

  void exit(int pid) {
    exit(pid, 0);
  }

  void exit(int pid, int status) {
    table.apply(new ProcessEvent.Exit(tick(), pid, pid, status, 17, PARENT, PARENT, null));
    if ((next & 0x3ff) == 0) {
      table.tick(nanos);
    }
  }

  private long tick() {
    nanos += NANOS_BETWEEN;
    return nanos;
  }

  private ProcCapture capture(int pid) {
    long ticks = nanos / 10_000_000;
    return new ProcCapture()
        .with(ProcFile.CMDLINE, Bytes.of("/usr/bin/cc\0-O2\0-c\0file.c\0-o\0file.o\0"))
        .with(ProcFile.EXE, Bytes.of("/usr/bin/x86_64-linux-gnu-gcc-12"))
        .with(ProcFile.CWD, Bytes.of("/home/somebody/project/build"))
        .with(ProcFile.CGROUP, Bytes.of("0::/user.slice/user-1000.slice/session-1.scope\n"))
        .with(
            ProcFile.STAT,
            Bytes.of(
                pid
                    + " (cc) R 100 100 100 0 -1 4194304 100 0 0 0 3 2 0 0 20 0 1 0 "
                    + ticks
                    + " 2000000 200 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0"
                    + " 0 0 0 0 0\n"));
  }

  private static final class Nobody implements ProcReader {
    @Override
    public ProcCapture read(int pid) {
      return new ProcCapture().without(ProcFile.STAT, Errno.ENOENT);
    }

    @Override
    public ProcCapture readStat(int pid) {
      return read(pid);
    }

    @Override
    public void list(IntConsumer pids) {}
  }
}
