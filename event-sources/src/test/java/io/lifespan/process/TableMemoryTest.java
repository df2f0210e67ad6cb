package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** A machine of a hundred thousand processes fits into the memory that the program may take. */
class TableMemoryTest {

  private static final int PROCESSES = 100_000;

  /** Some 480 were measured; with all that /proc tells it would be three times as many. */
  private static final long MAX_BYTES_EACH = 600;

  private static final int ATTEMPTS = 4;

  @Test
  void aProcessFoundAliveTakesSomeHundredBytes() {
    ProcessTable table =
        new ProcessTable(
            TableOptions.of(TableOptions.Scope.NODE),
            new Crowd(),
            () -> new KernelClock(0, 0, 100),
            List.of());
    long before = usedHeap();
    table.populate(1_000_000_000_000L);
    long after = usedHeap();

    assertThat(table.alive()).isEqualTo(PROCESSES);
    assertThat((after - before) / PROCESSES).isBetween(100L, MAX_BYTES_EACH);
    assertThat(table.stats().started()).isEqualTo(PROCESSES);
  }

  /** What is in use after a collection: the least of some. */
  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** As many processes, made up when they are read; what most have alike is the same object. */
  private static final class Crowd implements ProcReader {

    private static final Bytes EXECUTABLE = Bytes.of("/usr/lib/postgresql/15/bin/postgres");
    private static final Bytes DIRECTORY = Bytes.of("/var/lib/postgresql");
    private static final Bytes CGROUP = Bytes.of("0::/system.slice/postgresql@15-main.service\n");

    @Override
    public ProcCapture read(int pid) {
      return readStat(pid)
          .with(ProcFile.CMDLINE, Bytes.of("postgres: 15/main: client " + pid + " idle\0"))
          .with(ProcFile.EXE, EXECUTABLE)
          .with(ProcFile.ENVIRON, Bytes.EMPTY)
          .with(ProcFile.CWD, DIRECTORY)
          .with(ProcFile.CGROUP, CGROUP)
          .with(
              ProcFile.STATUS,
              Bytes.of(
                  ("Tgid:\t" + pid + "\nPPid:\t1\nUid:\t105\t105\t105\t105\n")
                      + ("Gid:\t110\t110\t110\t110\nNSpid:\t" + pid + "\n")
                      + "VmPeak:\t  220000 kB\n".repeat(20)));
    }

    @Override
    public ProcCapture readStat(int pid) {
      return new ProcCapture()
          .with(
              ProcFile.STAT,
              Bytes.of(
                  pid
                      + " (postgres) S 1 4242 4242 0 -1 4194368 1200 0 3 0 12 7 0 0 20 0 1 0 "
                      + (5_000 + pid)
                      + " 225280000 4300 18446744073709551615 94123456789504 94123460000000"
                      + " 140723456789000 0 0 0 0 16781312 136356879 1 0 0 17 1 0 0 0 0 0"
                      + " 94123460500000 94123460800000 94123470000000 140723456789100"
                      + " 140723456789200 140723456789200 140723456790000 0\n"));
    }

    @Override
    public void list(IntConsumer pids) {
      for (int pid = 1; pid <= PROCESSES; pid++) {
        pids.accept(pid);
      }
    }
  }
}
