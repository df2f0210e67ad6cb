package io.lifespan.process;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How processes execute programs: the image is replaced, every thread but one is gone. */
final class Execs {

  private final Members members;
  private final Images images;
  private final Counters counters;
  private final List<LifecycleListener> listeners;

  Execs(Members members, Images images, Counters counters, List<LifecycleListener> listeners) {
    this.members = members;
    this.images = images;
    this.counters = counters;
    this.listeners = listeners;
  }

  /** A process that is alive executed a program. */
  void exec(TrackedProcess process, ProcessEvent.Exec exec) {
    Bytes formerName = process.comm;
    process.image = image(process, exec.capture());
    process.comm = process.image.comm();
    if (process.execGeneration > 0 || process.startObserved != Observed.EVENT) {
      process.addLifeEvent(new LifeEvent(exec.timeNanos(), EventKind.EXEC, formerName, 0, 0));
    }
    process.execGeneration++;
    process.formerPeakBytes = exec.formerPeakBytes();
    process.dropLeaderExit();
    process.exitsOwed += Math.max(0, process.threads - 1);
    members.setThreads(process, 1);
    for (LifecycleListener listener : listeners) {
      listener.executed(process);
    }
  }

  /**
   * The image of a capture, unless it was read of another process: the pid may have been reused
   * before it was read.
   */
  private Image image(TrackedProcess process, @Nullable ProcCapture capture) {
    if (capture == null) {
      return Image.UNKNOWN;
    }
    Bytes text = capture.get(ProcFile.STAT);
    ProcStat stat = text == null ? null : ProcStat.parse(text);
    if (stat != null && !process.startedAt(stat.startTicks())) {
      counters.misread++;
      return Image.UNKNOWN;
    }
    Bytes given = process.execGeneration == 0 ? process.givenCommandLine : null;
    return images.of(given == null ? capture : capture.orElse(ProcFile.CMDLINE, given), stat);
  }
}
