package io.lifespan.process;

import static io.lifespan.process.TableDriver.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventKind;
import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessTableTest {

  private static final int SIGKILL = 9;

  private final TableDriver driver = TableDriver.node();

  @AfterEach
  void theLedgerHolds() {
    TableStats stats = driver.table.stats();
    assertThat(stats.started()).isEqualTo(stats.ended() + stats.alive() + stats.lost());
  }

  private TableDriver aShell() {
    driver.proc.shows(1, 0, "init", 0).shows(100, 1, "sh", 5);
    driver.table.populate(nanos(1000));
    return driver;
  }

  @Test
  void aForkAnExecAndAnExitMakeOneLife() {
    aShell().fork(2001, 100, 200).exec(2002, 200, "make").exit(2500, 200, 0x200, 100).settle();

    TrackedProcess make = driver.onlyEnded();
    assertThat(make.key()).isEqualTo(new ProcessKey(200, 200));
    assertThat(make.parentPid()).isEqualTo(100);
    assertThat(make.parentKey()).isEqualTo(new ProcessKey(100, 5));
    assertThat(make.comm()).isEqualTo(Bytes.of("make"));
    assertThat(make.execGeneration()).isEqualTo(1);
    assertThat(make.status()).isEqualTo(new WaitStatus(0x200));
    assertThat(make.endEpochNanos() - make.startEpochNanos()).isEqualTo(nanos(499));
    assertThat(make.startObserved()).isEqualTo(Observed.EVENT);
    assertThat(make.endObserved()).isEqualTo(Observed.EVENT);
    assertThat(driver.table.find(100).forks()).isEqualTo(1);
    assertThat(driver.table.find(100).liveChildren()).isZero();
  }

  @Test
  void theAliveAreFoundInProcWithTheirParentsFirst() {
    driver.proc.shows(30, 20, "leaf", 9).shows(20, 1, "middle", 7).shows(1, 0, "init", 0);
    driver.table.populate(nanos(1000));

    assertThat(driver.started).extracting(each -> each.key().pid()).containsExactly(1, 20, 30);
    assertThat(driver.started)
        .extracting(TrackedProcess::startObserved)
        .containsOnly(Observed.PROC);
    assertThat(driver.table.find(30).parentKey()).isEqualTo(new ProcessKey(20, 7));
    assertThat(driver.table.find(1).parentPid()).isNull();
  }

  @Test
  void aZombieIsNotAlive() {
    driver.proc.shows(1, 0, "init", 0).shows(20, 1, "dead", 7, 'Z', 1);
    driver.table.populate(nanos(1000));

    assertThat(driver.table.find(20)).isNull();
  }

  @Test
  void aForkWithoutExecKeepsTheImageOfItsParent() {
    aShell().fork(2000, 100, 200).exit(2001, 200, 0, 100).settle();

    assertThat(driver.onlyEnded().execGeneration()).isZero();
    assertThat(driver.onlyEnded().image()).isSameAs(driver.table.find(100).image());
    assertThat(driver.onlyEnded().comm()).isEqualTo(Bytes.of("sh"));
  }

  @Test
  void threadsAreCountedAndNotCreditedToTheParent() {
    aShell().fork(2000, 100, 200).thread(2001, 100, 200, 201).thread(2002, 100, 200, 202);

    assertThat(driver.table.find(200).threads()).isEqualTo(3);
    assertThat(driver.table.find(100).forks()).isEqualTo(1);
    assertThat(driver.table.find(100).threads()).isEqualTo(1);
    assertThat(driver.table.alive()).isEqualTo(3);
    driver.threadExit(2010, 200, 201, 0).threadExit(2011, 200, 202, 0).exit(2012, 200, 0, 100);
    assertThat(driver.settle().onlyEnded().peakThreads()).isEqualTo(3);
    assertThat(driver.table.stats().threadsAlive()).isEqualTo(2);
  }

  @Test
  void aProcessEndsWithItsLastThreadAndThatThreadsCode() {
    aShell().fork(2000, 100, 200).thread(2001, 100, 200, 201).exit(2100, 200, 0x500, 100);
    driver.proc.shows(200, 100, "sh", 200, 'Z', 2);
    driver.tick(2500).tick(2700);
    assertThat(driver.ended).isEmpty();

    driver.threadExit(3000, 200, 201, 0x700).settle();
    TrackedProcess process = driver.onlyEnded();
    assertThat(process.status()).isEqualTo(new WaitStatus(0x700));
    assertThat(process.endNanos()).isEqualTo(nanos(3000));
    assertThat(process.lifeEvents())
        .containsExactly(new LifeEvent(nanos(2100), EventKind.EXIT, null, 0x500, 0));
  }

  @Test
  void aGroupThatDiesWithItsFirstThreadFirstHasNoLeaderExit() {
    aShell().fork(2000, 100, 200).thread(2001, 100, 200, 201);
    driver.exit(2100, 200, SIGKILL, 100).threadExit(2101, 200, 201, SIGKILL).settle();

    assertThat(driver.onlyEnded().lifeEvents()).isEmpty();
    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(SIGKILL));
  }

  @Test
  void anExecByAThreadKeepsOneProcess() {
    aShell().fork(2000, 100, 200).exec(2001, 200, "server").thread(2002, 100, 200, 201);
    driver.thread(2003, 100, 200, 202).threadExit(2010, 200, 202, 0).exit(2011, 200, 0, 100);
    driver.exec(2015, 200, "next");

    TrackedProcess process = driver.table.find(200);
    assertThat(process.execGeneration()).isEqualTo(2);
    assertThat(process.threads()).isEqualTo(1);
    assertThat(process.leaderExited()).isFalse();
    assertThat(process.lifeEvents())
        .containsExactly(new LifeEvent(nanos(2015), EventKind.EXEC, Bytes.of("server"), 0, 0));
    driver.exit(2500, 200, 0x100, 100).settle();
    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x100));
    assertThat(driver.started).hasSize(3);
  }

  @Test
  void tenThousandExecsByThreadsLeakNoThread() {
    aShell().fork(2000, 100, 200).exec(2001, 200, "server");
    long before = driver.table.stats().threadsAlive();
    for (int round = 0; round < 10_000; round++) {
      long millis = 3000L + round;
      for (int tid = 300; tid < 350; tid++) {
        driver.thread(millis, 100, 200, tid);
      }
      for (int tid = 301; tid < 350; tid++) {
        driver.threadExit(millis, 200, tid, 0);
      }
      driver.exit(millis, 200, 0, 100).exec(millis, 200, "server").tick(millis);
    }

    assertThat(driver.table.stats().threadsAlive()).isEqualTo(before);
    assertThat(driver.ended).isEmpty();
  }

  @Test
  void exitsOfThreadsThatAnExecEndedMayComeAfterTheExecAndAfterNewThreads() {
    aShell().fork(2000, 100, 200).exec(2001, 200, "server");
    for (int round = 0; round < 3; round++) {
      long millis = 3000 + 10L * round;
      driver.thread(millis, 100, 200, 300).thread(millis, 100, 200, 301);
      driver.thread(millis, 100, 200, 302).exit(millis + 1, 200, 0, 100);
      driver.exec(millis + 2, 200, "server");
      driver.threadExit(millis + 3, 200, 300, 0).thread(millis + 4, 100, 200, 310);
      driver.threadExit(millis + 5, 200, 301, 0).threadExit(millis + 6, 200, 310, 0);
    }
    TrackedProcess process = driver.table.find(200);
    assertThat(process.execGeneration()).isEqualTo(4);
    assertThat(process.threads()).isEqualTo(1);
    assertThat(process.peakThreads()).isEqualTo(4);
    assertThat(driver.ended).isEmpty();

    driver.thread(4000, 100, 200, 320).exit(4001, 200, 0x500, 100);
    driver.exec(4002, 200, "last").exit(4003, 200, 0x300, 100).settle();
    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x300));
  }

  @Test
  void anExitThatComesBeforeItsForkIsPutRight() {
    aShell().exit(2005, 200, 0x300, 100).fork(2004, 100, 200).settle();

    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x300));
    assertThat(driver.onlyEnded().startNanos()).isEqualTo(nanos(2004));
    assertThat(driver.onlyEnded().startObserved()).isEqualTo(Observed.EVENT);
  }

  @Test
  void aThreadWhoseForkComesAfterTheLeadersExitTakesTheEndBack() {
    aShell().fork(2000, 100, 200).exit(2010, 200, 0x500, 100).thread(2009, 100, 200, 201);
    driver.proc.shows(200, 100, "sh", 200, 'Z', 2);
    driver.tick(2300);
    assertThat(driver.ended).isEmpty();
    driver.threadExit(2400, 200, 201, 0x700).settle();

    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x700));
  }

  @Test
  void anExitOfAProcessNeverSeenIsToldWithItsStartUnknown() {
    aShell().exit(2005, 999, 0x300, 100).tick(2500).settle();

    assertThat(driver.onlyEnded().startObserved()).isEqualTo(Observed.INFERRED);
    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x300));
    assertThat(driver.onlyEnded().image()).isEqualTo(Image.UNKNOWN);
  }

  @Test
  void aPidUsedAgainWhileItsEndWasMissedIsAnotherProcess() {
    aShell().fork(2000, 100, 200).exec(2001, 200, "old").fork(2300, 1, 200).settle();

    TrackedProcess old = driver.onlyEnded();
    assertThat(old.comm()).isEqualTo(Bytes.of("old"));
    assertThat(old.endObserved()).isEqualTo(Observed.INFERRED);
    assertThat(old.status()).isNull();
    TrackedProcess fresh = driver.table.find(200);
    assertThat(fresh.comm()).isEqualTo(Bytes.of("init"));
    assertThat(fresh.parentPid()).isEqualTo(1);
    assertThat(fresh.execGeneration()).isZero();
    assertThat(driver.table.stats().pidReuses()).isEqualTo(1);
    assertThat(driver.table.stats().lost()).isEqualTo(1);
  }

  @Test
  void aPidUsedAgainWithinOneTickHasAKeyOfItsOwn() {
    aShell().fork(2001, 100, 200).exec(2002, 200, "first").exit(2003, 200, 0x100, 100);
    driver.fork(2004, 100, 200).exec(2005, 200, FakeProc.capture(200, 100, "second", 200));
    driver.exit(2006, 200, 0x200, 100).settle();

    assertThat(driver.ended).extracting(TrackedProcess::key).doesNotHaveDuplicates();
    assertThat(driver.ended)
        .extracting(TrackedProcess::comm)
        .containsExactly(Bytes.of("first"), Bytes.of("second"));
    assertThat(driver.ended)
        .extracting(TrackedProcess::status)
        .containsExactly(new WaitStatus(0x100), new WaitStatus(0x200));
  }

  @Test
  void aLateExitOfTheFormerOwnerOfAPidIsNotTheNewOnes() {
    aShell().fork(2000, 100, 200).fork(2300, 1, 200).exit(2299, 200, 0x900, 100).settle();

    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x900));
    assertThat(driver.onlyEnded().endObserved()).isEqualTo(Observed.EVENT);
    assertThat(driver.table.find(200)).isNotNull();
  }

  @Test
  void aCaptureOfAnotherProcessWithTheSamePidIsThrownAway() {
    aShell().fork(2000, 100, 200).exec(2010, 200, FakeProc.capture(200, 1, "stranger", 230));

    assertThat(driver.table.find(200).image()).isEqualTo(Image.UNKNOWN);
    assertThat(driver.table.stats().misread()).isEqualTo(1);
  }

  @Test
  void theStartThatProcTellsIsTheKeyWhereTheEventLiesCloseToATick() {
    aShell();
    driver.table.apply(
        new ProcessEvent.Fork(
            nanos(2000), 100, 100, 200, 200, FakeProc.capture(200, 100, "sh", 199)));

    assertThat(driver.table.find(200).key()).isEqualTo(new ProcessKey(200, 199));
  }

  @Test
  void adoptionIsSeenAtExitAndIsNotTheParent() {
    aShell().fork(2000, 100, 200).fork(2001, 200, 300).exit(2002, 200, 0, 100);
    driver.exit(2100, 300, 0, 1).settle();

    TrackedProcess orphan = driver.ended.get(1);
    assertThat(orphan.parentPid()).isEqualTo(200);
    assertThat(orphan.adoptedByPid()).isEqualTo(1);
    assertThat(driver.ended.get(0).adoptedByPid()).isNull();
  }

  @Test
  void aForkEventReadAfterTheProcessWasFoundInProcIsTheSameProcess() {
    driver.proc.shows(1, 0, "init", 0).shows(100, 1, "sh", 5).shows(200, 100, "sh", 100);
    driver.table.populate(nanos(1005));
    driver.fork(1001, 100, 200).exit(1010, 200, 0, 100).settle();

    assertThat(driver.onlyEnded().startNanos()).isEqualTo(nanos(1001));
    assertThat(driver.onlyEnded().startObserved()).isEqualTo(Observed.EVENT);
    assertThat(driver.started).hasSize(3);
    assertThat(driver.table.find(100).liveChildren()).isZero();
  }

  @Test
  void theParentOfAForkThatWasNeverSeenIsLookedUp() {
    aShell();
    driver.proc.shows(150, 100, "lost", 150);
    driver.fork(2000, 150, 200);

    assertThat(driver.table.find(200).parentKey()).isEqualTo(new ProcessKey(150, 150));
    assertThat(driver.table.find(150).startObserved()).isEqualTo(Observed.PROC);
  }

  @Test
  void aLossIsRepairedFromProc() {
    aShell().fork(2000, 100, 200).fork(2000, 100, 201).lose(2100, 3);
    driver.proc.shows(200, 100, "sh", 200).shows(300, 200, "new", 205);
    driver.tick(2200).tick(2900);

    assertThat(driver.table.find(300).parentKey()).isEqualTo(new ProcessKey(200, 200));
    TrackedProcess vanished = driver.onlyEnded();
    assertThat(vanished.key().pid()).isEqualTo(201);
    assertThat(vanished.endObserved()).isEqualTo(Observed.INFERRED);
    assertThat(vanished.affectedByLoss()).isTrue();
    assertThat(driver.table.stats().eventsLost()).isEqualTo(3);
    assertThat(driver.table.stats().resyncs()).isEqualTo(1);
  }

  @Test
  void anEventThatWasOnlyDelayedCorrectsAnEndThatWasConcluded() {
    aShell().fork(2000, 100, 201).lose(2100, 3).tick(2200).exit(2150, 201, 0x400, 100).tick(2900);

    assertThat(driver.onlyEnded().status()).isEqualTo(new WaitStatus(0x400));
    assertThat(driver.onlyEnded().endObserved()).isEqualTo(Observed.EVENT);
    assertThat(driver.onlyEnded().endNanos()).isEqualTo(nanos(2150));
    assertThat(driver.table.stats().lost()).isZero();
  }

  @Test
  void aZombieFoundAfterALossHasEnded() {
    aShell().fork(2000, 100, 200).lose(2100, 1);
    driver.proc.shows(200, 100, "sh", 200, 'Z', 1);
    driver.tick(2200).tick(2900);

    assertThat(driver.onlyEnded().endObserved()).isEqualTo(Observed.PROC);
    assertThat(driver.table.stats().lost()).isZero();
  }

  @Test
  void aLostThreadExitIsNoticedOnceTheFirstThreadHasLeft() {
    aShell().fork(2000, 100, 200).thread(2001, 100, 200, 201).exit(2100, 200, 0, 100).tick(2300);

    assertThat(driver.settle().onlyEnded().endObserved()).isEqualTo(Observed.PROC);
    assertThat(driver.onlyEnded().status()).isNull();
  }

  @Test
  void aStepOfTheWallClockMovesNoKnownProcess() {
    aShell().tick(1500).fork(2000, 100, 200);
    long start = driver.table.find(200).startEpochNanos();
    driver.epochOffsetNanos += nanos(3_600_000);
    driver.tick(4000).fork(4000, 100, 300).exit(4100, 200, 0, 100).settle();

    assertThat(driver.onlyEnded().startEpochNanos()).isEqualTo(start);
    assertThat(driver.onlyEnded().endEpochNanos()).isEqualTo(start + nanos(2100));
    assertThat(driver.table.find(300).startEpochNanos())
        .isEqualTo(start + nanos(2000) + nanos(3_600_000));
  }

  @Test
  void anEndIsNeverBeforeItsStart() {
    aShell().exit(1999, 200, 0, 100).fork(2000, 100, 200).exit(2000, 200, 0, 100).settle();

    assertThat(driver.ended).hasSize(2);
    assertThat(driver.ended)
        .allSatisfy(
            each ->
                assertThat(each.endEpochNanos()).isGreaterThanOrEqualTo(each.startEpochNanos()));
  }

  @Test
  void anEndedParentIsStillFoundByAChildOfItsLastMoment() {
    aShell()
        .fork(2000, 100, 200)
        .exec(2001, 200, "sh")
        .exit(2010, 200, 0, 100)
        .fork(2009, 200, 300);

    assertThat(driver.table.find(300).parentKey()).isEqualTo(new ProcessKey(200, 200));
  }

  @Test
  void theEndedAreForgottenAfterTheirGraceTime() {
    aShell()
        .fork(2000, 100, 200)
        .exit(2010, 200, 0, 100)
        .tick(2100)
        .tick(9000)
        .fork(9001, 100, 200);

    assertThat(driver.table.stats().pidReuses()).isZero();
  }

  @Test
  void changesOfTheProcessAreLifeEventsAndThoseOfOtherThreadsAreNot() {
    aShell().fork(2000, 100, 200).comm(2001, 200, 200, "renamed").comm(2002, 200, 201, "worker");
    driver.table.apply(new ProcessEvent.Uid(nanos(2003), 200, 200, 1000, 1001));
    driver.table.apply(new ProcessEvent.CoreDump(nanos(2004), 200, 200, 100, 100));
    TrackedProcess process = driver.table.find(200);

    assertThat(process.comm()).isEqualTo(Bytes.of("renamed"));
    assertThat(process.lifeEvents())
        .containsExactly(
            new LifeEvent(nanos(2001), EventKind.COMM, Bytes.of("sh"), 0, 0),
            new LifeEvent(nanos(2003), EventKind.UID, null, 1000, 1001),
            new LifeEvent(nanos(2004), EventKind.COREDUMP, null, 0, 0));
  }

  @Test
  void lifeEventsAreBoundedAndTheRestCounted() {
    aShell().fork(2000, 100, 200);
    for (int i = 0; i < 50; i++) {
      driver.comm(2001 + i, 200, 200, "name" + i);
    }

    assertThat(driver.table.find(200).lifeEvents()).hasSize(TrackedProcess.MAX_LIFE_EVENTS);
    assertThat(driver.table.find(200).lifeEventsDropped()).isEqualTo(18);
  }

  @Test
  void whoIsAliveWhenTheWatchEndsIsToldAsNotEnded() {
    aShell().fork(2000, 100, 200).exit(2010, 200, 0, 100);
    driver.table.endWatch(nanos(3000));

    assertThat(driver.ended)
        .extracting(TrackedProcess::endObserved)
        .containsExactlyInAnyOrderElementsOf(
            List.of(Observed.EVENT, Observed.NOT_YET, Observed.NOT_YET));
  }

  @Test
  void aChangeIsToldWhenItHappens() {
    aShell().fork(2001, 100, 200);

    driver.table.apply(new ProcessEvent.Uid(nanos(2002), 200, 200, 1000, 0));

    assertThat(driver.changes)
        .containsExactly(new LifeEvent(nanos(2002), EventKind.UID, null, 1000, 0));
  }

  @Test
  void everyProcessAliveIsShownAndNoneThatEnded() {
    aShell().fork(2001, 100, 200).fork(2002, 100, 201).exit(2003, 200, 0, 100);
    List<Integer> shown = new ArrayList<>();

    driver.table.forEachAlive(process -> shown.add(process.key().pid()));

    assertThat(shown).containsExactlyInAnyOrder(1, 100, 201);
  }
}
