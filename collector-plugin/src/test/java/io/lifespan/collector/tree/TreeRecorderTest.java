package io.lifespan.collector.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.otel.Redactor;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class TreeRecorderTest {

  private static final long MILLI = 1_000_000;
  private static final int ROOT = 100;

  private final CommandTexts commands = new CommandTexts(new Redactor("***"), true);
  private TreeRecorder recorder = new TreeRecorder(commands);
  private ProcessTable table = table(recorder);

  @Test
  void recordsWhoMadeWhomWhatItRanAndHowItEnded() {
    exec(0, ROOT, "make", "-j4");
    fork(10, ROOT, 101);
    exec(11, 101, "sh", "-c", "exit 1");
    exit(20, 101, 0x100);
    exit(30, ROOT, 0x200);
    table.settleAll();

    assertThat(lines())
        .containsExactly("make -j4 exit 2", "sh -c 'exit 1' exit 1", "2 processes, 2 failed");
  }

  @Test
  void aProcessThatOnlyForkedBearsItsParentsNameInParentheses() {
    exec(0, ROOT, "bash");
    fork(10, ROOT, 101);
    exit(20, 101, 0);
    table.settleAll();

    assertThat(lines()).contains("(bash)");
  }

  @Test
  void whatIsAliveAtTheEndOfTheWatchRuns() {
    exec(0, ROOT, "bash");
    fork(10, ROOT, 101);
    exec(11, 101, "sleep", "60");
    exit(20, ROOT, 0);
    table.endWatch(30 * MILLI);

    assertThat(lines()).contains("sleep 60 running");
  }

  @Test
  void argumentsAreMaskedAsInSpans() {
    exec(0, ROOT, "mysql", "--password=geheim");

    assertThat(lines())
        .contains("mysql --password=*** running")
        .noneMatch(l -> l.contains("geheim"));
  }

  @Test
  void argumentsAreLeftOutWhereTheyAreNotToBeShown() {
    recorder = new TreeRecorder(new CommandTexts(new Redactor("***"), false));
    table = table(recorder);
    exec(0, ROOT, "ls", "-l");

    assertThat(lines()).contains("ls running");
  }

  @Test
  void aScriptIsNamedOnce() {
    exec(0, ROOT, "python3", "/srv/manage.py", "migrate");

    assertThat(lines()).contains("manage.py migrate running");
  }

  @Test
  void processesPastTheBoundAreCountedOnly() {
    recorder = new TreeRecorder(commands, 2);
    table = table(recorder);
    for (int pid = 101; pid < 111; pid++) {
      fork(pid, ROOT, pid);
      exit(pid + 1, pid, 0x100);
    }
    table.settleAll();

    ProcessTree tree = recorder.tree(0);
    assertThat(tree.nodes()).hasSize(2);
    assertThat(tree.processes()).isEqualTo(11);
    assertThat(tree.failed()).isEqualTo(10);
  }

  @Test
  void aReusedPidIsAnotherProcess() {
    fork(10, ROOT, 101);
    exit(20, 101, 0);
    fork(1000, ROOT, 101);
    exit(1020, 101, 0x100);
    table.settleAll();

    assertThat(recorder.tree(0).nodes())
        .extracting(node -> node.outcome().text())
        .containsExactly("running", "", "exit 1");
  }

  @Test
  void lostEventsAreToldOf() {
    table.apply(new ProcessEvent.Loss(1, 17, ProcessEvent.Loss.Where.QUEUE));

    assertThat(recorder.tree(0).eventsLost()).isEqualTo(17);
  }

  private ProcessTable table(TreeRecorder listener) {
    ProcessTable made =
        new ProcessTable(
            TableOptions.of(TableOptions.Scope.SUBTREE),
            new NoProc(),
            () -> new KernelClock(0, 0, 100),
            List.of(listener));
    made.adoptRoot(ROOT, 0, 1, null);
    return made;
  }

  private void fork(long milli, int parent, int child) {
    table.apply(new ProcessEvent.Fork(milli * MILLI, parent, parent, child, child, null));
  }

  private void exec(long milli, int pid, String... arguments) {
    ProcCapture capture =
        new ProcCapture()
            .with(ProcFile.CMDLINE, Bytes.of(String.join("\0", arguments) + "\0"))
            .with(ProcFile.EXE, Bytes.of("/usr/bin/" + arguments[0]));
    table.apply(new ProcessEvent.Exec(milli * MILLI, pid, pid, capture));
  }

  private void exit(long milli, int pid, int status) {
    table.apply(new ProcessEvent.Exit(milli * MILLI, pid, pid, status, 17, ROOT, ROOT, null));
  }

  /** The lines without bars and times. */
  private List<String> lines() {
    return new TreeRenderer(new TreeStyle(150, false, false))
        .render(recorder.tree(40 * MILLI)).stream()
            .map(line -> line.replaceAll("^[|` -]*", ""))
            .map(
                line -> line.replaceAll(" +#+ +[0-9.]+ [a-z]+", "").replaceAll(", [0-9.]+ ms$", ""))
            .toList();
  }

  /** A /proc in which there is nobody. */
  private static final class NoProc implements ProcReader {
    @Override
    public ProcCapture read(int pid) {
      return new ProcCapture();
    }

    @Override
    public ProcCapture readStat(int pid) {
      return new ProcCapture();
    }

    @Override
    public void list(IntConsumer pids) {}
  }
}
