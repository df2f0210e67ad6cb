package io.lifespan.event.ptrace;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.process.KernelClock;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What /proc says of a thread that was just made: whether it is a process, and in which tick it
 * began. The tracer hears of it later, by as much as it had to do.
 */
final class Births {

  private final ProcFsReader procFs;
  private final KernelClock clock;

  Births(ProcFsReader procFs, KernelClock clock) {
    this.procFs = procFs;
    this.clock = clock;
  }

  /** What /proc says of a thread that may be a process; null if it is gone. */
  @Nullable ProcStatus status(int tid) {
    try {
      return ProcStatus.parse(new Bytes(Files.readAllBytes(Path.of("/proc/" + tid + "/status"))));
    } catch (IOException gone) {
      return null;
    }
  }

  /**
   * The fork of a process, by its maker or, as CLONE_PARENT has it, by its maker's parent if that
   * is told instead; at a time that lies in the tick of which the kernel tells; at the time that it
   * was heard of if that cannot be read any more.
   */
  ProcessEvent.Fork fork(int parentTid, int parentTgid, int grandparent, int pid, long heardNanos) {
    ProcCapture capture = procFs.readStat(pid);
    Bytes text = capture.get(ProcFile.STAT);
    ProcStat stat = text == null ? null : ProcStat.parse(text);
    long nanos = stat == null ? heardNanos : within(stat.startTicks(), heardNanos);
    return stat != null && stat.parentPid() == grandparent
        ? new ProcessEvent.Fork(nanos, grandparent, grandparent, pid, pid, capture)
        : new ProcessEvent.Fork(nanos, parentTid, parentTgid, pid, pid, capture);
  }

  private long within(long tick, long heardNanos) {
    long first = clock.monotonicNanos(tick);
    return Math.max(first, Math.min(heardNanos, first + clock.nanosPerTick() - 1));
  }
}
