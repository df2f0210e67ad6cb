package io.lifespan.process;

import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** A /proc made by hand. */
final class FakeProc implements ProcReader {

  private final Map<Integer, ProcCapture> captures = new TreeMap<>();
  int statReads;

  FakeProc shows(int pid, int ppid, String comm, long startTicks) {
    return shows(pid, ppid, comm, startTicks, 'S', 1);
  }

  FakeProc shows(int pid, int ppid, String comm, long startTicks, char state, int threads) {
    captures.put(pid, capture(pid, ppid, comm, startTicks, state, threads));
    return this;
  }

  FakeProc forgets(int pid) {
    captures.remove(pid);
    return this;
  }

  static ProcCapture capture(int pid, int ppid, String comm, long startTicks) {
    return capture(pid, ppid, comm, startTicks, 'R', 1);
  }

  static ProcCapture capture(
      int pid, int ppid, String comm, long startTicks, char state, int threads) {
    String stat =
        pid
            + " ("
            + comm
            + ") "
            + state
            + " "
            + ppid
            + " "
            + pid
            + " "
            + pid
            + " 0 -1 4194304 100 0 0 0 3 2 0 0 20 0 "
            + threads
            + " 0 "
            + startTicks
            + " 2000000 200 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 2304\n";
    return new ProcCapture()
        .with(ProcFile.CMDLINE, Bytes.of(comm + "\0"))
        .with(ProcFile.STAT, Bytes.of(stat));
  }

  @Override
  public ProcCapture read(int pid) {
    ProcCapture capture = captures.get(pid);
    return capture == null ? new ProcCapture().without(ProcFile.STAT, Errno.ENOENT) : capture;
  }

  @Override
  public ProcCapture readStat(int pid) {
    statReads++;
    return read(pid);
  }

  @Override
  public void list(IntConsumer pids) {
    captures.keySet().forEach(pids::accept);
  }
}
