package io.lifespan.process;

import static io.lifespan.process.TableDriver.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import org.junit.jupiter.api.Test;

class FailedExitsTest {

  private final TableDriver driver =
      new TableDriver(TableOptions.of(TableOptions.Scope.NODE).withWholeLives(false));

  @Test
  void aFailedExitAloneTellsWhatTheZombieStillShows() {
    driver.table.apply(
        new ProcessEvent.Exit(
            nanos(2500),
            200,
            200,
            0x100,
            17,
            100,
            100,
            FakeProc.capture(200, 100, "cc1", 210, 'Z', 1)));
    driver.settle();

    TrackedProcess process = driver.onlyEnded();
    assertThat(process.key()).isEqualTo(new ProcessKey(200, 210));
    assertThat(process.comm()).isEqualTo(Bytes.of("cc1"));
    assertThat(process.startNanos()).isEqualTo(nanos(2100));
    assertThat(process.startObserved()).isEqualTo(Observed.PROC);
    assertThat(process.endNanos()).isEqualTo(nanos(2500));
    assertThat(process.status()).isEqualTo(new WaitStatus(0x100));
  }

  @Test
  void aFailedExitOfAProcessAlreadyReapedIsToldAllTheSame() {
    driver.exit(2500, 200, 0x100, 100).settle();

    assertThat(driver.onlyEnded().startObserved()).isEqualTo(Observed.INFERRED);
    assertThat(driver.onlyEnded().parentPid()).isEqualTo(100);
  }

  @Test
  void aFirstThreadThatFailedWhileOthersLiveIsWaitedFor() {
    driver.proc.shows(200, 100, "java", 210, 'Z', 3);
    driver.table.apply(
        new ProcessEvent.Exit(
            nanos(2500),
            200,
            200,
            0x500,
            17,
            100,
            100,
            FakeProc.capture(200, 100, "java", 210, 'Z', 3)));
    driver.tick(2700);
    assertThat(driver.ended).isEmpty();
    driver.proc.forgets(200);
    driver.tick(3000).settle();

    assertThat(driver.onlyEnded().endObserved()).isEqualTo(Observed.PROC);
    assertThat(driver.onlyEnded().status()).isNull();
  }
}
