package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.ProcessEvent.CoreDump;
import io.lifespan.event.ProcessEvent.Exec;
import io.lifespan.event.ProcessEvent.Exit;
import io.lifespan.event.ProcessEvent.Fork;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/kernel-facts.md says of threads, processes and values: each seen in the events
 * themselves, before the table makes sense of them.
 */
class KernelFactsIT {

  private static final int SIGCHLD = 17;

  @TempDir static Path directory;
  private static Path program;
  private LiveTable live;
  private final List<ProcessEvent> events = new ArrayList<>();

  @BeforeAll
  static void compile() throws Exception {
    program = Scenario.compile(directory);
  }

  @BeforeEach
  void listen() throws Exception {
    live = new LiveTable();
    live.witness = events::add;
  }

  @AfterEach
  void close() {
    live.close();
  }

  private Scenario play(String name) throws Exception {
    try (Scenario scenario = Scenario.play(program, name)) {
      live.until(scenario::isOver);
      live.until(
          () ->
              live.hasEnded(scenario.pid())
                  && scenario.processes.values().stream()
                      .allMatch(made -> live.hasEnded(made.pid())));
      return scenario;
    }
  }

  private <T extends ProcessEvent> Stream<T> all(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast);
  }

  private List<Exit> exits(int tgid) {
    return all(Exit.class).filter(exit -> exit.tgid() == tgid).toList();
  }

  private Exit leaderExit(int pid) {
    return exits(pid).stream().filter(exit -> exit.pid() == pid).findFirst().orElseThrow();
  }

  private Fork birth(int pid) {
    return all(Fork.class).filter(fork -> fork.childPid() == pid).findFirst().orElseThrow();
  }

  private List<Fork> threads(int tgid) {
    return all(Fork.class).filter(fork -> !fork.isProcess() && fork.childTgid() == tgid).toList();
  }

  private static int pid(Scenario scenario, String name) {
    return scenario.processes.get(name).pid();
  }

  @Test
  void theForkOfAThreadNamesTheParentOfItsProcess() throws Exception {
    Scenario scenario = play("many-threads");
    List<Fork> threads = threads(pid(scenario, "child"));

    assertThat(threads).hasSize(600);
    assertThat(threads).allMatch(fork -> fork.parentTgid() == scenario.pid());
  }

  @Test
  void aCloneOfTheParentNamesTheGrandparent() throws Exception {
    Scenario scenario = play("clone-parent");

    assertThat(birth(pid(scenario, "sibling")).parentTgid()).isEqualTo(scenario.pid());
  }

  @Test
  void everyThreadHasAnExitOfItsOwnAndOnlyTheFirstHasASignalAndAParent() throws Exception {
    Scenario scenario = play("many-threads");
    int child = pid(scenario, "child");
    List<Exit> exits = exits(child);

    assertThat(exits).hasSize(601);
    assertThat(leaderExit(child).exitSignal()).isEqualTo(SIGCHLD);
    assertThat(leaderExit(child).parentTgid()).isEqualTo(scenario.pid());
    assertThat(exits)
        .filteredOn(exit -> exit.pid() != child)
        .allMatch(exit -> exit.exitSignal() == -1 && exit.parentPid() == 0)
        .allMatch(exit -> exit.parentTgid() == 0);
    Exit last = exits.get(exits.size() - 1);
    assertThat(last.status()).isEqualTo(0x400);
  }

  @Test
  void theExitOfTheFirstThreadIsNotTheEndAndTheLastOneTellsTheStatus() throws Exception {
    int child = pid(play("leader"), "child");

    assertThat(exits(child)).extracting(Exit::status).containsExactly(0x500, 0x700);
    assertThat(exits(child)).extracting(Exit::pid).startsWith(child);
  }

  @Test
  void anExecByAThreadLooksLikeADeathAndItsOwnThreadNeverExits() throws Exception {
    int child = pid(play("thread-exec"), "child");
    Exec exec = all(Exec.class).filter(each -> each.pid() == child).findFirst().orElseThrow();
    Exit death = leaderExit(child);
    Set<Integer> made = threads(child).stream().map(Fork::childPid).collect(Collectors.toSet());
    Set<Integer> exited = exits(child).stream().map(Exit::pid).collect(Collectors.toSet());

    assertThat(death.status()).isZero();
    assertThat(death.timeNanos()).isLessThan(exec.timeNanos());
    assertThat(made).hasSize(11);
    made.removeAll(exited);
    assertThat(made).hasSize(1);
  }

  @Test
  void aVforkAnExecAndAnExitComeInOrder() throws Exception {
    int child = pid(play("vfork"), "child");
    Exec exec = all(Exec.class).filter(each -> each.pid() == child).findFirst().orElseThrow();

    assertThat(birth(child).timeNanos()).isLessThan(exec.timeNanos());
    assertThat(exec.timeNanos()).isLessThan(leaderExit(child).timeNanos());
  }

  @Test
  void adoptionShowsOnlyInTheExit() throws Exception {
    Scenario scenario = play("subreaper");
    int orphan = pid(scenario, "orphan");

    assertThat(birth(orphan).parentTgid()).isEqualTo(pid(scenario, "middle"));
    assertThat(leaderExit(orphan).parentTgid()).isEqualTo(scenario.pid());
  }

  @Test
  void statusesAreRawWaitStatusesAndACoreDumpComesBefore() throws Exception {
    assertThat(leaderExit(pid(play("code77"), "child")).status()).isEqualTo(77 << 8);
    assertThat(leaderExit(pid(play("killed"), "child")).status()).isEqualTo(9);
    int dumped = pid(play("segv"), "child");
    CoreDump dump =
        all(CoreDump.class).filter(each -> each.tgid() == dumped).findFirst().orElseThrow();

    assertThat(leaderExit(dumped).status()).isEqualTo(0x80 | 11);
    assertThat(dump.timeNanos()).isLessThan(leaderExit(dumped).timeNanos());
  }

  @Test
  void theStartInProcIsTheTimeOfTheForkRoundedDownToATick() throws Exception {
    KernelClock clock = SystemClock.measure();
    Map<Integer, Process> children = new HashMap<>();
    try {
      for (int i = 0; i < 50; i++) {
        Process child = new ProcessBuilder("sleep", "1000").start();
        children.put((int) child.pid(), child);
      }
      live.until(() -> children.keySet().stream().allMatch(pid -> live.table.find(pid) != null));

      for (int pid : children.keySet()) {
        ProcStat stat = ProcStat.parse(new ProcFsReader().readStat(pid).get(ProcFile.STAT));
        long behind = birth(pid).timeNanos() - clock.monotonicNanos(stat.startTicks());
        // the kernel takes the time of the start first; a busy one tells of it later
        assertThat(behind).isBetween(0L, clock.nanosPerTick() + 1_000_000_000L);
      }
    } finally {
      children.values().forEach(Process::destroyForcibly);
    }
  }
}
