package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventSelection;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Losses of events, made on purpose by a small receive buffer that nobody reads, and what the table
 * makes of them.
 */
class RepairIT {

  private static final int SMALL_BUFFER = 64 << 10;

  @TempDir Path directory;
  private final List<Process> children = new ArrayList<>();

  @AfterEach
  void endChildren() {
    children.forEach(Process::destroyForcibly);
  }

  private int sleeper() throws IOException {
    Process child = new ProcessBuilder("sleep", "1000").start();
    children.add(child);
    return (int) child.pid();
  }

  private static LiveTable withSmallBuffer(TableOptions.Scope scope) throws Exception {
    return new LiveTable(
        EventSelection.ALL,
        TableOptions.of(scope),
        options -> options.withReceiveBufferBytes(SMALL_BUFFER));
  }

  @Test
  void whatCameAndWentWhileNobodyReadIsPutRight() throws Exception {
    Path program = Scenario.compile(directory);
    try (LiveTable live = withSmallBuffer(TableOptions.Scope.NODE)) {
      int stays = sleeper();
      int goes = sleeper();
      live.until(() -> live.table.find(stays) != null && live.table.find(goes) != null);

      try (Scenario storm = Scenario.play(program, "tree:1:3000")) {
        assertThat(storm.process.waitFor()).isNotNegative();
      }
      children.get(1).destroyForcibly().waitFor();
      int fresh = sleeper();
      live.until(
          () -> !live.losses.isEmpty() && live.table.find(fresh) != null && live.hasEnded(goes));

      TableStats stats = live.table.stats();
      assertThat(stats.eventsLost()).isEqualTo(live.source.stats().lost()).isGreaterThan(1_000);
      assertThat(stats.started()).isEqualTo(stats.ended() + stats.alive() + stats.lost());
      assertThat(live.ended(goes).affectedByLoss()).isTrue();
      assertThat(live.ended(goes).endObserved()).isIn(Observed.INFERRED, Observed.EVENT);
      assertThat(live.table.find(stays)).isNotNull();
      assertThat(live.table.find(fresh).comm()).hasToString("sleep");
    }
  }

  @Test
  void theKeyFromAnEventIsTheKeyFromProc() throws Exception {
    ProcFsReader reader = new ProcFsReader();
    try (LiveTable live = new LiveTable()) {
      List<Integer> pids = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        pids.add(sleeper());
      }
      live.until(() -> pids.stream().allMatch(pid -> live.table.find(pid) != null));

      for (int pid : pids) {
        ProcStat stat = ProcStat.parse(reader.readStat(pid).get(ProcFile.STAT));
        assertThat(live.table.find(pid).startObserved()).isEqualTo(Observed.EVENT);
        assertThat(live.table.find(pid).key()).isEqualTo(new ProcessKey(pid, stat.startTicks()));
      }
      try (LiveTable later = new LiveTable()) {
        for (int pid : pids) {
          assertThat(later.table.find(pid).key()).isEqualTo(live.table.find(pid).key());
          assertThat(later.table.find(pid).parentKey()).isEqualTo(live.table.find(pid).parentKey());
        }
      }
    }
  }

  @Test
  void everyAncestorOfAProcessThatWasAliveBeforeIsKnown() throws Exception {
    Process shells =
        new ProcessBuilder("sh", "-c", "sh -c 'sh -c \"sleep 1000; :\"; :'; :").start();
    children.add(shells);
    try (LiveTable live = new LiveTable()) {
      live.until(
          () ->
              live.table.snapshot().stream().filter(each -> isBelow(live, each, shells)).count()
                  >= 3);
      shells.descendants().forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static boolean isBelow(LiveTable live, ProcessSnapshot process, Process ancestor) {
    ProcessKey parent = process.parentKey();
    while (parent != null) {
      if (parent.pid() == ancestor.pid()) {
        return true;
      }
      TrackedProcess next = live.table.find(parent.pid());
      parent = next == null ? null : next.parentKey();
    }
    return false;
  }

  @Test
  void aSubtreeIsRepairedToo() throws Exception {
    Path program = Scenario.compile(directory);
    try (LiveTable live = withSmallBuffer(TableOptions.Scope.SUBTREE)) {
      Process shell =
          new ProcessBuilder("sh", "-c", "read go; sleep 1000 & read end; wait").start();
      children.add(shell);
      ProcStat stat =
          ProcStat.parse(new ProcFsReader().readStat((int) shell.pid()).get(ProcFile.STAT));
      live.table.adoptRoot(stat.pid(), stat.startTicks(), stat.parentPid(), null);
      try (Scenario storm = Scenario.play(program, "tree:2:3000")) {
        storm.process.waitFor();
        shell.getOutputStream().write('\n');
        shell.getOutputStream().flush();
      }
      live.until(() -> !live.losses.isEmpty() && live.table.find(stat.pid()).liveChildren() == 1);
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
    }
  }
}
