package io.lifespan.event.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventSelection;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceStats;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the running kernel. */
class EbpfSourceIT {

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final int EXECS = 8_000;
  private static final int ROOMY = 16 << 20;

  @TempDir static Path directory;
  private static String execs;
  private static String tiny;
  private final List<ProcessEvent> events = new ArrayList<>();

  @BeforeAll
  static void compile() throws Exception {
    execs = compile("execs");
    tiny = compile("tiny", "-static", "-nostdlib");
  }

  @Test
  void theArgumentsOfEveryExecAreThereHoweverShortItLives() throws Exception {
    try (EbpfSource source = open(options("fork", "exec", "exit").withRingBytes(ROOMY))) {
      Process process = start(execs, Integer.toString(EXECS), "2", tiny);
      until(source, () -> !process.isAlive() && seen(ended((int) process.pid())));

      Set<Bytes> arguments = new HashSet<>();
      Set<Integer> pids = new HashSet<>();
      for (ProcCapture capture : capturesOf(tiny, pids)) {
        arguments.add(capture.get(ProcFile.CMDLINE));
        assertThat(capture.get(ProcFile.EXE)).isEqualTo(Bytes.of(tiny));
        assertThat(capture.get(ProcFile.CWD)).isEqualTo(Bytes.of(directory.toString()));
        assertThat(capture.get(ProcFile.ENVIRON)).isEqualTo(Bytes.of("TRACEPARENT=00-1-2-01\0"));
        assertThat(capture.get(ProcFile.CGROUP)).isNotNull();
      }
      assertThat(arguments).hasSize(EXECS);
      assertThat(pids).allMatch(pid -> seen(ended(pid)));
      SourceStats stats = source.stats();
      assertThat(stats.lost()).isZero();
      assertThat(stats.malformed()).isZero();
    }
  }

  @Test
  void whatFindsNoRoomIsCounted() throws Exception {
    int count = 2_000;
    try (EbpfSource all = open(options("exit").withRingBytes(ROOMY));
        EbpfSource small = open(options("exit").withRingBytes(1 << 12))) {
      Process process = start(execs, Integer.toString(count), "1", tiny);
      process.waitFor();
      List<ProcessEvent> given = new ArrayList<>();
      poll(small, given, () -> given.stream().anyMatch(ProcessEvent.Loss.class::isInstance));
      long lost = small.stats().lost();
      long own = count + 2L;
      until(all, () -> events.size() >= own);

      // Others' processes end meanwhile too: how many is what the roomy ring tells.
      long missing = own - given.stream().filter(ProcessEvent.Exit.class::isInstance).count();
      assertThat(lost).isBetween(missing, events.size() - (own - missing));
      assertThat(given.get(given.size() - 1)).isInstanceOf(ProcessEvent.Loss.class);
      assertThat(all.stats().lost()).isZero();
    }
  }

  @Test
  void onlyFailedExitsAreToldIfOnlyTheyAreWantedWithWhoTheyWere() throws Exception {
    try (EbpfSource source = open(options("nonzero_exit"))) {
      Process good = start("sh", "-c", "exit 0");
      good.waitFor();
      Process bad = start("sh", "-c", "exit 7");
      until(source, () -> seen(ended((int) bad.pid())));

      assertThat(seen(ended((int) good.pid()))).isFalse();
      ProcessEvent.Exit exit = ended((int) bad.pid()).findFirst().orElseThrow();
      assertThat(exit.status()).isEqualTo(7 << 8);
      assertThat(exit.capture().get(ProcFile.STAT).toString())
          .startsWith(bad.pid() + " (sh) Z " + ProcessHandle.current().pid() + " ");
      assertThat(exit.capture().get(ProcFile.STATUS).toString()).contains("Uid:\t0\t0\n");
    }
  }

  @Test
  void whatDoesNotFitIsReadFromProcWhileTheProcessLives() throws Exception {
    String longArgument = "x".repeat(50_000);
    try (EbpfSource source = open(options("exec", "exit"))) {
      Process process = start("sh", "-c", "read line", longArgument);
      until(source, () -> capturesOf((int) process.pid()).size() > 0);
      List<ProcCapture> captures = capturesOf((int) process.pid());
      process.getOutputStream().close();

      ProcCapture capture = captures.get(captures.size() - 1);
      assertThat(capture.get(ProcFile.CMDLINE).toString()).endsWith("\0" + longArgument + "\0");
      assertThat(capture.truncated(ProcFile.CMDLINE)).isFalse();
    }
  }

  @Test
  void whatPathsSayIsWhatProcSays() throws Exception {
    Path place = directory.resolve("ä place");
    Files.createDirectories(place);
    Path copy = Files.copy(Path.of("/bin/sleep"), place.resolve("slee p"));
    try (EbpfSource source = open(options("exec"))) {
      Process process =
          new ProcessBuilder(copy.toString(), "600").directory(place.toFile()).start();
      try {
        until(source, () -> executed((int) process.pid(), copy.toString()));
        List<ProcCapture> captures = capturesOf((int) process.pid());
        ProcCapture told = captures.get(captures.size() - 1);
        ProcCapture proc = new ProcFsReader().read((int) process.pid());

        for (ProcFile file :
            List.of(ProcFile.CMDLINE, ProcFile.EXE, ProcFile.CWD, ProcFile.CGROUP)) {
          assertThat(told.get(file)).as(file.fileName()).isEqualTo(proc.get(file));
        }
        assertThat(start(told)).isEqualTo(start(proc));
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void itCanBeOpenedAgainAndAgain() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(new EbpfSource(options("fork"), new ProcFsReader()).probe()).isEmpty();
      open(options("fork")).close();
    }
  }

  private static long start(ProcCapture capture) {
    return ProcStat.parse(capture.get(ProcFile.STAT)).startTicks();
  }

  private boolean executed(int pid, String path) {
    return capturesOf(pid).stream().anyMatch(c -> Bytes.of(path).equals(c.get(ProcFile.EXE)));
  }

  private Stream<ProcessEvent.Exit> ended(int pid) {
    return events.stream()
        .filter(ProcessEvent.Exit.class::isInstance)
        .map(ProcessEvent.Exit.class::cast)
        .filter(exit -> exit.tgid() == pid);
  }

  private List<ProcCapture> capturesOf(int pid) {
    return executions().filter(exec -> exec.tgid() == pid).map(ProcessEvent.Exec::capture).toList();
  }

  private List<ProcCapture> capturesOf(String program, Set<Integer> pids) {
    return executions()
        .filter(exec -> exec.capture().get(ProcFile.CMDLINE).toString().startsWith(program + "\0"))
        .peek(exec -> pids.add(exec.tgid()))
        .map(ProcessEvent.Exec::capture)
        .toList();
  }

  private Stream<ProcessEvent.Exec> executions() {
    return events.stream()
        .filter(ProcessEvent.Exec.class::isInstance)
        .map(ProcessEvent.Exec.class::cast);
  }

  private static boolean seen(Stream<?> stream) {
    return stream.findAny().isPresent();
  }

  private void until(EbpfSource source, BooleanSupplier condition) throws Exception {
    poll(source, events, condition);
  }

  private static void poll(EbpfSource source, List<ProcessEvent> into, BooleanSupplier condition)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("never came true; " + source.stats());
      }
      source.poll(into::add, 50);
    }
  }

  private static EbpfSource open(EbpfOptions options) throws Exception {
    EbpfSource source = new EbpfSource(options, new ProcFsReader());
    source.open();
    return source;
  }

  private static EbpfOptions options(String... kinds) {
    EventSelection selection = EventSelection.of(List.of(kinds)).orElseThrow();
    return EbpfOptions.defaults(selection, SystemClock.measure());
  }

  private static Process start(String... command) throws Exception {
    return new ProcessBuilder(command).directory(directory.toFile()).start();
  }

  private static String compile(String name, String... options) throws Exception {
    String program = directory.resolve(name).toString();
    List<String> command = new ArrayList<>(List.of("gcc", "-O1", "-o", program));
    command.addAll(List.of(options));
    command.add("src/test/c/" + name + ".c");
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    return program;
  }
}
