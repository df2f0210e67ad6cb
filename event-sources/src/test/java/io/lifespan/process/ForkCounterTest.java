package io.lifespan.process;

import static io.lifespan.process.TableDriver.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForkCounterTest {

  private final ForkCounter counter = new ForkCounter(3);
  private final FakeProc proc = new FakeProc().shows(1, 0, "init", 0).shows(100, 1, "server", 5);
  private final ProcessTable table =
      new ProcessTable(
          TableOptions.of(TableOptions.Scope.NODE),
          proc,
          () -> new KernelClock(0, 0, 100),
          List.of(counter));

  private void worker(int pid) {
    table.apply(new ProcessEvent.Fork(nanos(1000), 100, 100, pid, pid, null));
    table.apply(new ProcessEvent.Exit(nanos(1001), pid, pid, 0, 17, 100, 100, null));
  }

  @Test
  void aServerThatRecyclesItsWorkersShowsByItsForks() {
    table.populate(nanos(500));
    for (int pid = 200; pid < 300; pid++) {
      worker(pid);
    }
    table.apply(new ProcessEvent.Fork(nanos(1000), 1, 100, 101, 100, null));
    table.settleAll();

    assertThat(counter.totals().get(Bytes.of("server")))
        .isEqualTo(new ForkCounter.Totals(100, 0, 100));
    assertThat(table.find(100).forks()).isEqualTo(100);
  }

  @Test
  void aForkReadAfterItsChildWasFoundInProcCountsOnce() {
    proc.shows(200, 100, "server", 100);
    table.populate(nanos(1500));
    worker(200);
    table.settleAll();

    assertThat(counter.totals().get(Bytes.of("server"))).isEqualTo(new ForkCounter.Totals(1, 0, 1));
    assertThat(table.find(100).forks()).isEqualTo(1);
  }

  @Test
  void aProgramCountsByTheNameOfItsExecutableFile() {
    table.populate(nanos(500));
    table.apply(new ProcessEvent.Fork(nanos(1000), 100, 100, 200, 200, null));
    table.apply(
        new ProcessEvent.Exec(
            nanos(1001),
            200,
            200,
            FakeProc.capture(200, 100, "a script", 100)
                .with(ProcFile.EXE, Bytes.of("/usr/bin/python3.11 (deleted)"))));

    assertThat(counter.totals().get(Bytes.of("python3.11")))
        .isEqualTo(new ForkCounter.Totals(0, 1, 0));
  }

  @Test
  void whatWasCountedBetweenTwoTimesIsTheDifference() {
    assertThat(new ForkCounter.Totals(9, 5, 4).since(new ForkCounter.Totals(2, 5, 1)))
        .isEqualTo(new ForkCounter.Totals(7, 0, 3));
  }

  @Test
  void namesPastTheBoundShareOne() {
    table.populate(nanos(500));
    table.apply(new ProcessEvent.Fork(nanos(1000), 100, 100, 200, 200, null));
    for (int i = 0; i < 10; i++) {
      table.apply(
          new ProcessEvent.Exec(
              nanos(1001 + i), 200, 200, FakeProc.capture(200, 100, "program" + i, 100)));
    }

    assertThat(counter.totals()).hasSize(4);
    assertThat(counter.totals().get(ForkCounter.OTHER).execs()).isEqualTo(8);
  }
}
