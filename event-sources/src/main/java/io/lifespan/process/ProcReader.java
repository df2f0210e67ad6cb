package io.lifespan.process;

import io.lifespan.procfs.ProcCapture;
import java.util.function.IntConsumer;

/**
 * How the process table asks /proc about processes that no event told of. Time of a call is bounded
 * by the number of processes.
 */
public interface ProcReader {

  /** Reads all files of one process; empty if it is gone. */
  ProcCapture read(int pid);

  /** Reads only /proc/PID/stat of one process; empty if it is gone. */
  ProcCapture readStat(int pid);

  /** Names every process (thread group) that /proc shows, in no particular order. */
  void list(IntConsumer pids);
}
