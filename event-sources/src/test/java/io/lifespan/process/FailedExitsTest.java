package io.lifespan.process;

import static io.lifespan.process.TableDriver.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.Objects;
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

  @Test
  void aProcessFoundAliveBeforeIsToldInFull() {
    driver.proc.shows(100, 1, "init", 5).shows(200, 100, "server", 210);
    driver.table.populate(nanos(2200));
    driver.table.apply(failed(2500, 200, FakeProc.capture(200, 100, "server", 210, 'Z', 1)));
    driver.settle();

    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x100));
    assertThat(commandLine(driver.onlyEnded())).isEqualTo(Bytes.of("server\0"));
    assertThat(driver.onlyEnded().parentKey()).isEqualTo(new ProcessKey(100, 5));
  }

  @Test
  void aProcessThatExecutedAnotherProgramSinceIsToldByThatName() {
    driver.proc.shows(200, 100, "sh", 210);
    driver.table.populate(nanos(2200));
    ProcCapture zombie = zombie(200, 100, "worker", 210);
    driver.table.apply(failed(2500, 200, zombie));
    driver.settle();

    assertThat(driver.onlyEnded().comm()).isEqualTo(Bytes.of("worker"));
    assertThat(driver.onlyEnded().image().capture()).isSameAs(zombie);
  }

  @Test
  void aPidThatIsAnothersNowIsNotMistakenForTheOneFoundBefore() {
    driver.proc.shows(200, 100, "sh", 210);
    driver.table.populate(nanos(2200));
    driver.table.apply(failed(9500, 200, zombie(200, 100, "other", 900)));
    driver.settle();

    assertThat(driver.ended).hasSize(2);
    assertThat(driver.ended.get(0).key()).isEqualTo(new ProcessKey(200, 900));
    assertThat(driver.ended.get(0).comm()).isEqualTo(Bytes.of("other"));
    assertThat(driver.ended.get(0).status()).isEqualTo(new WaitStatus(0x100));
    assertThat(driver.ended.get(1).endObserved()).isEqualTo(Observed.INFERRED);
    assertThat(driver.ended.get(1).status()).isNull();
  }

  @Test
  void aReapedProcessIsTheOneFoundBeforeOnlyIfItHasTheSameParent() {
    driver.proc.shows(200, 100, "sh", 210).shows(300, 100, "sh", 220);
    driver.table.populate(nanos(2300));
    driver.exit(2500, 200, 0x100, 100).exit(2500, 300, 0x100, 777).settle();

    assertThat(driver.ended).extracting(TrackedProcess::key).contains(new ProcessKey(200, 210));
    TrackedProcess other =
        driver.ended.stream()
            .filter(each -> each.key().pid() == 300 && each.status() != null)
            .findAny()
            .orElseThrow();
    assertThat(other.comm()).isNull();
    assertThat(other.parentPid()).isEqualTo(777);
  }

  @Test
  void theAncestorsOfOneThatFailedAreReadFromProc() {
    driver.proc.shows(10, 1, "cron", 5).shows(20, 10, "sh", 200).shows(30, 20, "make", 205);
    driver.table.apply(failed(2500, 200, zombie(200, 30, "cc1", 210)));
    driver.settle();

    TrackedProcess process = driver.onlyEnded();
    assertThat(process.parentKey()).isEqualTo(new ProcessKey(30, 205));
    assertThat(driver.started)
        .extracting(each -> each.key().pid())
        .containsExactly(10, 20, 30, 200);
    TrackedProcess make = Objects.requireNonNull(driver.table.find(30));
    assertThat(make.parentKey()).isEqualTo(new ProcessKey(20, 200));
  }

  @Test
  void aParentWhosePidIsAnothersNowIsReadAnew() {
    driver.proc.shows(30, 1, "former", 50);
    driver.table.populate(nanos(1000));
    driver.proc.shows(30, 1, "make", 205);
    driver.table.apply(failed(2500, 200, zombie(200, 30, "cc1", 210)));

    assertThat(Objects.requireNonNull(driver.table.find(30)).comm()).isEqualTo(Bytes.of("make"));
    driver.settle();
    assertThat(driver.ended.get(0).parentKey()).isEqualTo(new ProcessKey(30, 205));
  }

  @Test
  void whoIsAliveIsTakenFromProcFromTimeToTime() {
    driver.table.populate(nanos(1000));
    driver.proc.shows(200, 100, "worker", 900);
    driver.tick(10_500);
    assertThat(driver.started).isEmpty();
    driver.tick(11_001);
    assertThat(driver.started).extracting(TrackedProcess::comm).containsExactly(Bytes.of("worker"));
    driver.proc.forgets(200);
    driver.tick(21_002).settle();

    assertThat(driver.onlyEnded().endObserved()).isEqualTo(Observed.INFERRED);
    assertThat(driver.table.stats().resyncs()).isZero();
  }

  private static ProcessEvent.Exit failed(long millis, int pid, ProcCapture capture) {
    return new ProcessEvent.Exit(nanos(millis), pid, pid, 0x100, 17, 100, 100, capture);
  }

  /** What is left of a dead process: no arguments. */
  private static ProcCapture zombie(int pid, int parent, String comm, long startTicks) {
    Bytes stat =
        Objects.requireNonNull(
            FakeProc.capture(pid, parent, comm, startTicks, 'Z', 1).get(ProcFile.STAT));
    return new ProcCapture().with(ProcFile.STAT, stat);
  }

  private static Bytes commandLine(TrackedProcess process) {
    return Objects.requireNonNull(process.image().capture()).get(ProcFile.CMDLINE);
  }
}
