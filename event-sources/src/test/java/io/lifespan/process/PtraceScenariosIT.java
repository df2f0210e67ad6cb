package io.lifespan.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.event.ptrace.PtraceSource;
import io.lifespan.libc.ChildProcess;
import io.lifespan.libc.Command;
import io.lifespan.libc.InheritedDescriptors;
import io.lifespan.libc.SignalGate;
import io.lifespan.libc.SignalSet;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd lives as their tracer sees them, against the truth that the program prints. */
class PtraceScenariosIT implements LifecycleListener {

  private static final long PATIENCE_SECONDS = 120;
  private static final byte[] TRACEPARENT =
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".getBytes(US_ASCII);
  private static final InheritedDescriptors DESCRIPTORS = descriptors();

  @TempDir static Path directory;
  private static Path program;

  private final Map<Integer, List<TrackedProcess>> ended = new LinkedHashMap<>();
  private final Map<String, Scenario.Made> processes = new LinkedHashMap<>();
  private final Map<String, Integer> ends = new LinkedHashMap<>();
  private final Map<String, Integer> facts = new LinkedHashMap<>();
  private final Map<Integer, Scenario.Node> tree = new LinkedHashMap<>();
  private TrackedProcess root;
  private TableStats stats;

  @BeforeAll
  static void compile() throws Exception {
    program = Scenario.compile(directory);
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
        "deep",
        "chain",
        "vfork",
        "spawn",
        "memfd",
        "changes"
      })
  void everyProcessHasTheParentAndTheStatusThatTheProgramTold(String name) throws Exception {
    play(name);

    assertThat(processes).isNotEmpty();
    processes.forEach(
        (child, made) -> {
          assertThat(ended.get(made.pid())).as(child).hasSize(1);
          TrackedProcess process = ended.get(made.pid()).get(0);
          assertThat(process.parentPid()).as(child).isEqualTo(made.parentPid());
          assertThat(process.startObserved()).isEqualTo(Observed.EVENT);
          assertThat(process.endObserved()).isEqualTo(Observed.EVENT);
          if (ends.containsKey(child)) {
            assertThat(process.status()).as(child).isEqualTo(new WaitStatus(ends.get(child)));
          }
        });
  }

  @Test
  void aCoreDumpIsSeen() throws Exception {
    play("segv");

    assertThat(child("child").status().coreDumped()).isTrue();
    assertThat(child("child").lifeEvents())
        .extracting(LifeEvent::kind)
        .contains(EventKind.COREDUMP);
  }

  @Test
  void anExecByAThreadIsOneProcessOfTheNextGeneration() throws Exception {
    play("thread-exec");

    assertThat(child("child").execGeneration()).isEqualTo(1);
    assertThat(child("child").status()).isEqualTo(new WaitStatus(0x900));
  }

  @Test
  void execsFromAmongFiftyThreadsAreGenerationsOfOneProcess() throws Exception {
    play("again:50");

    assertThat(root.execGeneration()).isEqualTo(52);
    assertThat(stats.started()).isEqualTo(1);
  }

  @Test
  void whoAdoptedADaemonIsSeenAtItsEnd() throws Exception {
    play("subreaper");

    assertThat(child("orphan").adoptedByPid()).isEqualTo(facts.get("adopter"));
  }

  @Test
  void aProgramIsReadWhileItIsStopped() throws Exception {
    play("memfd");

    assertThat(child("child").image().capture().get(ProcFile.CMDLINE))
        .isEqualTo(Bytes.of("nowhere\0exit:17\0"));
  }

  @Test
  void aPidUsedAgainAtOnceIsAnotherProcess() throws Exception {
    play("reuse");

    List<TrackedProcess> both = ended.get(processes.get("first").pid());
    assertThat(both)
        .extracting(TrackedProcess::status)
        .containsExactly(new WaitStatus(21 << 8), new WaitStatus(22 << 8));
    assertThat(both).extracting(TrackedProcess::key).doesNotHaveDuplicates();
  }

  @Test
  void randomTreesAreWhatWaitSaid() throws Exception {
    play("tree:7:400");

    assertThat(tree).hasSizeGreaterThan(300);
    for (Scenario.Node node : tree.values()) {
      assertThat(ended.get(node.pid())).hasSize(1);
      assertThat(ended.get(node.pid()).get(0).parentPid()).isEqualTo(node.parentPid());
      assertThat(ended.get(node.pid()).get(0).status()).isEqualTo(new WaitStatus(node.status()));
    }
  }

  @Test
  void nothingIsLeftToReapWhenAProgramCannotBeExecuted() throws Exception {
    Path script = Files.writeString(directory.resolve("no-interpreter"), "exit 7\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    follow(List.of(script.toString()));

    assertThat(root.status()).isEqualTo(new WaitStatus(0x700));
    assertThat(stats.started()).isEqualTo(1);
  }

  private TrackedProcess child(String name) {
    return ended.get(processes.get(name).pid()).get(0);
  }

  private void play(String name) throws Exception {
    Path said = directory.resolve("said");
    follow(
        List.of(
            "sh",
            "-c",
            "cd \"${0%/*}\" && exec \"$0\" \"$1\" > \"$2\"",
            program.toString(),
            name,
            said.toString()));
    Files.readAllLines(said).forEach(this::take);
    assertThat(stats.started()).isEqualTo(stats.ended());
    assertThat(stats.lost()).isZero();
  }

  /** Follows a command until it and all that descends from it has ended. */
  private void follow(List<String> arguments) throws Exception {
    BlockingQueue<ProcessEvent> events = new LinkedBlockingQueue<>();
    PtraceSource source =
        new PtraceSource(EventSelection.ALL, new ProcFsReader(), SystemClock.measure());
    source.open();
    Thread tracer = new Thread(() -> poll(source, events), "tracer");
    tracer.start();
    try {
      ChildProcess child =
          ChildProcess.start(command(arguments), (pid, ticks) -> held(source, pid));
      ProcessTable table =
          new ProcessTable(
              TableOptions.of(TableOptions.Scope.SUBTREE),
              new ProcFsReader(),
              SystemClock::measure,
              List.of(this));
      root = table.adoptRoot(child.pid(), child.startTicks(), 1, null);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (table.alive() > 0 || !ended.containsKey(child.pid())) {
        assertThat(System.nanoTime()).as("still alive: %s", table.snapshot()).isLessThan(deadline);
        ProcessEvent event = events.poll(10, TimeUnit.MILLISECONDS);
        if (event != null) {
          table.apply(event);
        }
        table.tick(System.nanoTime());
      }
      stats = table.stats();
    } finally {
      tracer.interrupt();
      source.wakeup();
      tracer.join();
      source.close();
    }
  }

  private static byte[] held(PtraceSource source, int pid) throws IOException {
    source.follow(pid);
    return TRACEPARENT;
  }

  private static void poll(PtraceSource source, BlockingQueue<ProcessEvent> events) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        source.poll(events::add, 1_000);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Command command(List<String> arguments) throws IOException {
    List<byte[]> environment =
        Stream.of("PATH=" + System.getenv("PATH")).map(each -> each.getBytes(US_ASCII)).toList();
    return new Command(
        arguments.stream().map(each -> each.getBytes(US_ASCII)).toList(),
        environment,
        SignalGate.blockedAtStart(),
        new SignalSet(0),
        DESCRIPTORS);
  }

  private static InheritedDescriptors descriptors() {
    try {
      return InheritedDescriptors.take();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void ended(TrackedProcess process) {
    ended.computeIfAbsent(process.key().pid(), pid -> new ArrayList<>()).add(process);
  }

  private void take(String line) {
    List<String> words = List.of(line.split(" "));
    switch (words.get(0)) {
      case "process" ->
          processes.put(words.get(1), new Scenario.Made(number(words, 2), number(words, 3)));
      case "end" -> ends.put(words.get(1), number(words, 2));
      case "fact" -> facts.put(words.get(1), number(words, 2));
      default ->
          tree.put(
              number(words, 1),
              new Scenario.Node(number(words, 1), number(words, 2), number(words, 3)));
    }
  }

  private static int number(List<String> words, int index) {
    return Integer.parseInt(words.get(index));
  }
}
