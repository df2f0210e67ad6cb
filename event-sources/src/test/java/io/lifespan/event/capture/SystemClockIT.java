package io.lifespan.event.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.libc.Clocks;
import io.lifespan.process.KernelClock;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemClockIT {

  private final Clocks clocks = new Clocks();

  @Test
  void monotonicTimeIsThatOfTheVirtualMachine() {
    long before = System.nanoTime();
    long now = clocks.monotonicNanos();
    assertThat(now).isBetween(before, System.nanoTime());
  }

  @Test
  void bootTimeIsNotBehindMonotonicTime() {
    long monotonic = clocks.monotonicNanos();
    assertThat(clocks.bootNanos()).isGreaterThanOrEqualTo(monotonic);
  }

  @Test
  void aTickIsAsLongAsTheSystemSays() throws Exception {
    Process getconf = new ProcessBuilder("getconf", "CLK_TCK").start();
    assertThat(getconf.inputReader().readLine()).isEqualTo(Long.toString(Clocks.ticksPerSecond()));
    assertThat(getconf.waitFor()).isZero();
  }

  @Test
  void measuresTheWallClockToAFewMilliseconds() {
    KernelClock clock = SystemClock.measure();
    long epochMillis = System.currentTimeMillis();
    long error = clock.epochNanos(System.nanoTime()) / 1_000_000 - epochMillis;
    assertThat(Math.abs(error)).isLessThan(TimeUnit.SECONDS.toMillis(5));
  }

  @Test
  void putsTheStartOfAChildBetweenTheMomentsBeforeAndAfter() throws Exception {
    KernelClock clock = SystemClock.measure();
    long before = clocks.monotonicNanos();
    Process child = new ProcessBuilder("sleep", "1000").start();
    long after = clocks.monotonicNanos();
    try {
      ProcStat stat =
          ProcStat.parse(new ProcFsReader().readStat((int) child.pid()).get(ProcFile.STAT));
      assertThat(stat.startTicks()).isBetween(clock.ticks(before), clock.ticks(after));
    } finally {
      child.destroyForcibly().waitFor();
    }
  }
}
