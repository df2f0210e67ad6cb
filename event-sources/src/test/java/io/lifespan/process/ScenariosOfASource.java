package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventKind;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Odd lives, played by a C program under the running kernel, against the truth that the program
 * prints: the same for every source of events.
 */
abstract class ScenariosOfASource {
  /** The soak test that docs/process-table.md tells of plays more. */
  private static final int RANDOM_TREES = Integer.getInteger("lifespan.test.random-trees", 100);

  private static final int TREES_AT_ONCE = 50;
  private static final int TREE_SIZE = 40;

  @TempDir static Path directory;
  private static Path program;
  LiveTable live;

  /** A table fed by the source. */
  abstract LiveTable liveTable() throws Exception;

  @BeforeAll
  static void compile() throws Exception {
    program = Scenario.compile(directory);
  }

  @BeforeEach
  void listen() throws Exception {
    live = liveTable();
  }

  @AfterEach
  void theLedgerHoldsAndNothingWasLost() {
    TableStats stats = live.table.stats();
    live.close();
    assertThat(stats.started()).isEqualTo(stats.ended() + stats.alive() + stats.lost());
    assertThat(stats.eventsLost()).isZero();
  }

  /** Plays a scenario to its end, until every process it tells of has been told as ended. */
  Scenario play(String name) throws Exception {
    try (Scenario scenario = Scenario.play(program, name)) {
      live.until(scenario::isOver);
      live.until(
          () ->
              live.hasEnded(scenario.pid())
                  && scenario.processes.values().stream()
                      .allMatch(made -> live.hasEnded(made.pid()))
                  && scenario.tree.keySet().stream().allMatch(live::hasEnded));
      return scenario;
    }
  }

  TrackedProcess child(Scenario scenario, String name) {
    return live.ended(scenario.processes.get(name).pid());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "code77",
        "killed",
        "segv",
        "stopped",
        "leader",
        "thread-exec",
        "many-threads",
        "double-fork",
        "subreaper",
        "clone-parent",
        "deep",
        "chain",
        "vfork",
        "spawn",
        "memfd",
        "changes",
        "traced"
      })
  void everyProcessHasTheParentAndTheStatusThatTheProgramTold(String name) throws Exception {
    Scenario scenario = play(name);

    assertThat(scenario.processes).isNotEmpty();
    for (Map.Entry<String, Scenario.Made> made : scenario.processes.entrySet()) {
      assertThat(live.allEnded(made.getValue().pid())).as(made.getKey()).hasSize(1);
      TrackedProcess process = live.ended(made.getValue().pid());
      assertThat(process.parentPid()).as(made.getKey()).isEqualTo(made.getValue().parentPid());
      assertThat(process.startObserved()).isEqualTo(Observed.EVENT);
      assertThat(process.endObserved()).isEqualTo(Observed.EVENT);
      Integer status = scenario.ends.get(made.getKey());
      if (status != null) {
        assertThat(process.status()).as(made.getKey()).isEqualTo(new WaitStatus(status));
      }
    }
  }

  @Test
  void aCoreDumpIsSeen() throws Exception {
    TrackedProcess child = child(play("segv"), "child");

    assertThat(child.status().coreDumped()).isTrue();
    assertThat(child.lifeEvents()).extracting(LifeEvent::kind).contains(EventKind.COREDUMP);
  }

  @Test
  void aLeaderThatLeavesIsAnEventInTheLifeOfItsProcess() throws Exception {
    TrackedProcess child = child(play("leader"), "child");

    assertThat(child.status()).isEqualTo(new WaitStatus(0x700));
    assertThat(child.lifeEvents()).hasSize(1);
    assertThat(child.lifeEvents().get(0).kind()).isEqualTo(EventKind.EXIT);
    assertThat(child.lifeEvents().get(0).first()).isEqualTo(0x500);
    assertThat(child.endNanos() - child.lifeEvents().get(0).timeNanos()).isGreaterThan(100_000_000);
  }

  @Test
  void anExecByAThreadIsOneProcessOfTheNextGeneration() throws Exception {
    TrackedProcess child = child(play("thread-exec"), "child");

    assertThat(child.execGeneration()).isEqualTo(1);
    assertThat(child.lifeEvents()).isEmpty();
    assertThat(child.status()).isEqualTo(new WaitStatus(0x900));
  }

  @Test
  void threadsAreNotForks() throws Exception {
    Scenario scenario = play("many-threads");

    assertThat(live.ended(scenario.pid()).forks()).isEqualTo(1);
    assertThat(child(scenario, "child").forks()).isZero();
  }

  @Test
  void execsFromAmongFiftyThreadsAreGenerationsOfOneProcess() throws Exception {
    Scenario scenario = play("again:300");

    // 300 rounds, after the program itself and the helper by which the JVM starts it
    assertThat(live.ended(scenario.pid()).execGeneration()).isEqualTo(302);
  }

  @Test
  void aDaemonKeepsItsMakerAsParentAndShowsWhoAdoptedIt() throws Exception {
    Scenario scenario = play("double-fork");
    TrackedProcess daemon = child(scenario, "daemon");

    assertThat(daemon.parentPid()).isEqualTo(scenario.processes.get("middle").pid());
    assertThat(daemon.adoptedByPid()).isNotNull().isNotEqualTo(daemon.parentPid());
    assertThat(daemon.status()).isEqualTo(new WaitStatus(0xb00));
  }

  @Test
  void aSubreaperIsWhoAdopted() throws Exception {
    Scenario scenario = play("subreaper");

    assertThat(child(scenario, "orphan").adoptedByPid()).isEqualTo(scenario.facts.get("adopter"));
  }

  @Test
  void aCloneOfTheParentHasTheGrandparentAsParentAndIsNotAdopted() throws Exception {
    Scenario scenario = play("clone-parent");

    assertThat(child(scenario, "sibling").parentPid()).isEqualTo(scenario.pid());
    assertThat(child(scenario, "sibling").adoptedByPid()).isNull();
  }

  @Test
  void aPidUsedAgainAtOnceIsAnotherProcess() throws Exception {
    Scenario scenario = play("reuse");
    int pid = scenario.processes.get("first").pid();
    live.until(() -> live.allEnded(pid).size() == 2);
    List<TrackedProcess> both = live.allEnded(pid);

    assertThat(both).extracting(TrackedProcess::key).doesNotHaveDuplicates();
    assertThat(both.get(0).status()).isEqualTo(new WaitStatus(21 << 8));
    assertThat(both.get(1).status()).isEqualTo(new WaitStatus(22 << 8));
    assertThat(both.get(0).execGeneration()).isEqualTo(1);
    assertThat(both.get(1).execGeneration()).isZero();
    assertThat(live.table.stats().pidReuses()).isPositive();
  }

  @Test
  void aPidUsedAgainManyTimesWithinATickIsAnotherProcessEachTime() throws Exception {
    Scenario scenario = play("reuse:50");
    int made = scenario.facts.get("made");
    int pid = scenario.facts.get("pid");
    live.until(() -> madeBy(scenario, pid).size() == made);
    List<TrackedProcess> lives = madeBy(scenario, pid);

    assertThat(made).isPositive();
    assertThat(lives).extracting(TrackedProcess::key).doesNotHaveDuplicates();
    assertThat(lives)
        .isSortedAccordingTo(Comparator.comparingLong(each -> each.key().startTicks()));
    for (int i = 0; i < made; i++) {
      assertThat(lives.get(i).status()).isEqualTo(new WaitStatus(scenario.ends.get("round" + i)));
      assertThat(lives.get(i).comm()).hasToString("scenarios");
      assertThat(lives.get(i).forks()).isZero();
    }
    assertThat(live.ended(scenario.pid()).forks()).isEqualTo(made);
    assertThat(live.ended(scenario.pid()).liveChildren()).isZero();
  }

  private List<TrackedProcess> madeBy(Scenario scenario, int pid) {
    return live.allEnded(pid).stream()
        .filter(each -> Objects.equals(each.parentPid(), scenario.pid()))
        .sorted(Comparator.comparingLong(TrackedProcess::startNanos))
        .toList();
  }

  @Test
  void aServerThatRecyclesItsWorkersShowsByItsForks() throws Exception {
    Scenario scenario = play("prefork:200");

    assertThat(live.ended(scenario.pid()).forks()).isEqualTo(200);
    assertThat(live.ended(scenario.pid()).liveChildren()).isZero();
    // another scenario may run on this machine
    assertThat(live.forks.totals().get(Bytes.of("scenarios")).forks()).isGreaterThanOrEqualTo(200);
    assertThat(live.forks.totals().get(Bytes.of("scenarios")).exits()).isGreaterThanOrEqualTo(201);
  }

  @Test
  void aChainOfExecsIsOneProcessOfManyGenerations() throws Exception {
    TrackedProcess child = child(play("chain"), "child");

    assertThat(child.execGeneration()).isEqualTo(6);
    assertThat(child.lifeEvents()).extracting(LifeEvent::kind).containsOnly(EventKind.EXEC);
    assertThat(child.lifeEvents()).hasSize(5);
  }

  @Test
  void changesAreNotedWithTheirValuesAndRawNames() throws Exception {
    TrackedProcess child = child(play("changes"), "child");

    assertThat(child.comm())
        .isEqualTo(new Bytes("a) R 1 \u00ff(".getBytes(StandardCharsets.ISO_8859_1)));
    assertThat(child.lifeEvents())
        .extracting(LifeEvent::kind)
        .containsExactly(EventKind.COMM, EventKind.SID, EventKind.GID, EventKind.UID);
    assertThat(child.lifeEvents().get(2).first()).isEqualTo(4321);
    assertThat(child.lifeEvents().get(3).second()).isEqualTo(1234);
  }

  @Test
  void aTracerIsNotedWhenItComesAndGoes() throws Exception {
    Scenario scenario = play("traced");

    assertThat(child(scenario, "child").lifeEvents())
        .filteredOn(event -> event.kind() == EventKind.PTRACE)
        .extracting(LifeEvent::first)
        .containsExactly(scenario.pid(), 0);
  }

  @Test
  void aZombieHasEndedBeforeItIsReaped() throws Exception {
    try (Scenario scenario = Scenario.play(program, "zombie")) {
      live.until(() -> scenario.facts.containsKey("zombie"));
      int zombie = scenario.facts.get("zombie");
      live.until(() -> live.hasEnded(zombie));

      assertThat(live.ended(zombie).status()).isEqualTo(new WaitStatus(0x600));
      scenario.process.getOutputStream().close();
      live.until(scenario::isOver);
    }
    try (LiveTable late = liveTable()) {
      assertThat(late.table.alive()).isPositive();
    }
  }

  @Test
  void aProgramExecutedFromMemoryIsCaptured() throws Exception {
    TrackedProcess child = child(play("memfd"), "child");

    assertThat(child.execGeneration()).isEqualTo(1);
    assertThat(child.image().capture().get(ProcFile.CMDLINE))
        .isEqualTo(Bytes.of("nowhere\0exit:17\0"));
    assertThat(child.image().capture().get(ProcFile.EXE))
        .isEqualTo(Bytes.of("/memfd:in memory (deleted)"));
  }

  @Test
  void randomTreesAreWhatWaitSaid() throws Exception {
    for (int done = 0; done < RANDOM_TREES; done += TREES_AT_ONCE) {
      live.ended.clear();
      Scenario scenario = play("forest:" + (done + 1) + ":" + TREES_AT_ONCE + ":" + TREE_SIZE);

      assertThat(scenario.tree).hasSizeGreaterThan(2 * TREES_AT_ONCE);
      for (Scenario.Node node : scenario.tree.values()) {
        TrackedProcess process = live.ended(node.pid());
        assertThat(process.parentPid()).isEqualTo(node.parentPid());
        assertThat(process.status()).isEqualTo(new WaitStatus(node.status()));
      }
    }
  }
}
