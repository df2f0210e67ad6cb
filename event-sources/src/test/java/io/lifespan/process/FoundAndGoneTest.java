package io.lifespan.process;

import static io.lifespan.process.TableDriver.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lives that a source has to look for. */
class FoundAndGoneTest {

  private final TableDriver driver = TableDriver.node();

  @AfterEach
  void theLedgerHolds() {
    TableStats stats = driver.table.stats();
    assertThat(stats.started()).isEqualTo(stats.ended() + stats.alive() + stats.lost());
  }

  @Test
  void aProcessThatIsFoundAndGoneIsALifeThatSaysSo() {
    driver.proc.shows(100, 1, "sh", 5);
    driver.table.populate(nanos(1000));
    found(driver, 2040, 200, 100, "make", 203);
    driver.table.apply(new ProcessEvent.Gone(nanos(2500), 200, 0x300, true));
    driver.settle();

    TrackedProcess make = driver.onlyEnded();
    assertThat(make.key()).isEqualTo(new ProcessKey(200, 203));
    assertThat(make.parentKey()).isEqualTo(new ProcessKey(100, 5));
    assertThat(make.comm()).isEqualTo(Bytes.of("make"));
    assertThat(make.startObserved()).isEqualTo(Observed.PROC);
    assertThat(make.endObserved()).isEqualTo(Observed.EVENT);
    assertThat(make.status()).isEqualTo(new WaitStatus(0x300));
    assertThat(make.endNanos()).isEqualTo(nanos(2500));
  }

  @Test
  void anEndThatWasOnlyNoticedSaysSoAndMayBeWithoutAStatus() {
    found(driver, 2040, 200, 1, "make", 203);
    driver.table.apply(new ProcessEvent.Gone(nanos(3000), 200, null, false));
    driver.settle();

    assertThat(driver.onlyEnded().endObserved()).isEqualTo(Observed.PROC);
    assertThat(driver.onlyEnded().status()).isNull();
  }

  @Test
  void whatWasPopulatedIsNotFoundAgain() {
    driver.proc.shows(200, 1, "make", 150);
    driver.table.populate(nanos(2000));
    found(driver, 2040, 200, 1, "make", 150);

    assertThat(driver.table.alive()).isEqualTo(1);
    assertThat(driver.started).hasSize(1);
  }

  @Test
  void aPidThatIsAnothersByNowEndsTheOneBefore() {
    found(driver, 2040, 200, 1, "make", 203);
    found(driver, 9000, 200, 1, "sleep", 890);
    driver.settle();

    assertThat(driver.onlyEnded().comm()).isEqualTo(Bytes.of("make"));
    assertThat(driver.onlyEnded().endObserved()).isEqualTo(Observed.INFERRED);
    assertThat(driver.table.find(200).comm()).isEqualTo(Bytes.of("sleep"));
  }

  @Test
  void anExecAfterwardsIsAGenerationOfTheSameProcess() {
    found(driver, 2040, 200, 1, "sh", 203);
    driver.exec(2050, 200, "make");

    assertThat(driver.table.find(200).execGeneration()).isEqualTo(1);
    assertThat(driver.table.find(200).comm()).isEqualTo(Bytes.of("make"));
  }

  @Test
  void inASubtreeOnlyDescendantsCount() {
    TableDriver tree = TableDriver.subtree();
    tree.table.adoptRoot(100, 200, 1, null);
    found(tree, 2040, 201, 100, "child", 203);
    found(tree, 2041, 202, 1, "stranger", 203);
    tree.table.apply(new ProcessEvent.Gone(nanos(2100), 202, 0, true));

    assertThat(tree.table.find(201)).isNotNull();
    assertThat(tree.table.find(202)).isNull();
    assertThat(tree.table.alive()).isEqualTo(2);
  }

  @Test
  void aCaptureThatTellsNothingIsNoProcess() {
    driver.table.apply(new ProcessEvent.Found(nanos(1), 200, new ProcCapture()));
    driver.table.apply(new ProcessEvent.Gone(nanos(2), 200, 0, true));

    assertThat(driver.table.alive()).isZero();
  }

  private static void found(
      TableDriver driver, long millis, int pid, int parent, String comm, long startTicks) {
    driver.table.apply(
        new ProcessEvent.Found(
            nanos(millis), pid, FakeProc.capture(pid, parent, comm, startTicks)));
  }
}
