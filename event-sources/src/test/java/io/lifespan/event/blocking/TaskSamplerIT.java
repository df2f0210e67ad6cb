package io.lifespan.event.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.procfs.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that hang in a file system which hangs when told to, found from outside. */
class TaskSamplerIT {

  private final Told told = new Told();
  private final List<Process> started = new ArrayList<>();
  @TempDir Path directory;
  private SlowFs slow;
  private TimedFiles files;
  private TaskSampler sampler;

  @BeforeEach
  void open() throws Exception {
    slow = SlowFs.start(directory);
    files = TimedFiles.open(TimedFilesOptions.DEFAULTS);
    sampler =
        new TaskSampler(
            files, new SamplerOptions(0.5, Duration.ofMillis(200), Duration.ofMillis(500)), told);
    sampler.start();
  }

  @AfterEach
  void close() throws Exception {
    sampler.close();
    slow.close();
    files.close();
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void twenty_processes_that_hang_are_all_shown_before_any_returns() throws Exception {
    String path = slow.mountPoint() + "/file";
    slow.hang();
    Set<Integer> pids = new java.util.HashSet<>();
    for (int i = 0; i < 20; i++) {
      pids.add(inNamespace("perl", "-e", "stat $ARGV[0]; <STDIN>", path));
    }

    awaitUntil(() -> shown(pids).stream().filter(task -> task.path() != null).count() == 20);

    for (BlockedTask task : shown(pids)) {
      assertThat(task.call()).isIn("newfstatat", "stat", "statx");
      assertThat(task.path()).isEqualTo(bytes(path));
      assertThat(task.mount().type()).isEqualTo("fuse.slowfs");
      assertThat(task.mount().path()).isEqualTo(bytes(slow.mountPoint().toString()));
      assertThat(task.comm()).isEqualTo(Bytes.of("perl"));
      assertThat(task.executable())
          .isEqualTo(Bytes.of(Path.of("/usr/bin/perl").toRealPath().toString()));
      assertThat(task.wchan()).isNotEqualTo("0");
      assertThat(task.tid()).isEqualTo(task.pid());
    }
    assertThat(told.released).noneMatch(task -> pids.contains(task.pid()));
    awaitUntil(() -> pidsOf(told.blocked).containsAll(pids));

    slow.go();

    awaitUntil(() -> pidsOf(told.released).containsAll(pids));
    awaitUntil(() -> shown(pids).isEmpty());
  }

  @Test
  void a_process_whose_directory_is_on_the_dead_mount_is_shown_and_holds_nobody() throws Exception {
    int pid =
        inNamespace(
            "perl",
            "-e",
            "chdir $ARGV[0] or die; $|=1; print qq(here\\n); <STDIN>; stat 'file'; <STDIN>",
            slow.mountPoint() + "/directory");
    Process process = started.get(started.size() - 1);
    assertThat(process.inputReader().readLine()).isEqualTo("here");
    slow.stop();
    process.outputWriter().append("\n").flush();

    awaitUntil(() -> shown(Set.of(pid)).stream().anyMatch(task -> task.path() != null));

    BlockedTask task = shown(Set.of(pid)).iterator().next();
    assertThat(task.path()).isEqualTo(bytes(slow.mountPoint() + "/directory/file"));
    long sweeps = sampler.sweeps();
    awaitUntil(() -> sampler.sweeps() > sweeps + 3);
    assertThat(shown(Set.of(pid))).containsExactly(task);
    slow.resume();
    awaitUntil(() -> shown(Set.of(pid)).isEmpty());
  }

  @Test
  void processes_that_wait_for_other_things_are_not_shown() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Set<Integer> pids = new java.util.HashSet<>();
    pids.add(start("sleep", "1000"));
    pids.add(start("cat"));
    pids.add(start("cat", fifo.toString()));

    long sweeps = sampler.sweeps();
    awaitUntil(() -> sampler.sweeps() > sweeps + 5);

    assertThat(shown(pids)).isEmpty();
    assertThat(told.stalls).noneMatch(stall -> pids.contains(stall.blocked().pid()));
  }

  @Test
  void a_process_that_makes_many_quick_calls_is_not_taken_for_blocked() throws Exception {
    Set<Integer> pids = Set.of(start("perl", "-e", "stat '/' while 1"));
    long sweeps = sampler.sweeps();

    awaitUntil(() -> sampler.sweeps() > sweeps + 10);

    assertThat(shown(pids)).isEmpty();
    assertThat(told.released).noneMatch(task -> pids.contains(task.pid()));
  }

  @Test
  void a_process_that_blocks_with_a_lock_held_that_all_others_want_has_stalled() throws Exception {
    Path program = directory.resolve("biglock");
    assertThat(
            new ProcessBuilder("gcc", "-pthread", "-o", program.toString(), "src/test/c/biglock.c")
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    slow.hang();
    int pid = inNamespace(program.toString(), slow.mountPoint() + "/file");

    awaitUntil(() -> told.stalls.stream().anyMatch(stall -> stall.blocked().pid() == pid));

    Stall stall =
        told.stalls.stream().filter(any -> any.blocked().pid() == pid).findFirst().orElseThrow();
    assertThat(stall.waiters()).isEqualTo(3);
    assertThat(stall.blocked().path()).isEqualTo(bytes(slow.mountPoint() + "/file"));
    assertThat(sampler.stalled()).anyMatch(any -> any.blocked().pid() == pid);
    slow.go();
    awaitUntil(() -> told.ended.stream().anyMatch(ended -> ended.blocked().pid() == pid));
  }

  @Test
  void
      an_interpreter_that_blocks_with_its_big_lock_held_has_stalled_and_one_that_gives_it_back_has_not()
          throws Exception {
    String program =
        """
        import ctypes, os, sys, threading, time
        def work():
            while True:
                time.sleep(0.01)
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        if sys.argv[2] == "held":
            ctypes.PyDLL(None).access(os.fsencode(sys.argv[1]), 0)
        else:
            os.access(sys.argv[1], 0)
        sys.stdin.read()
        """;
    String path = slow.mountPoint() + "/file";
    slow.hang();
    int held = inNamespace("python3", "-c", program, path, "held");
    int given = inNamespace("python3", "-c", program, path, "given back");

    awaitUntil(() -> told.stalls.stream().anyMatch(stall -> stall.blocked().pid() == held));
    awaitUntil(() -> pidsOf(told.blocked).contains(given));

    Stall stall =
        told.stalls.stream().filter(any -> any.blocked().pid() == held).findFirst().orElseThrow();
    assertThat(stall.waiters()).isEqualTo(3);
    assertThat(stall.blocked().mount().type()).isEqualTo("fuse.slowfs");
    assertThat(told.stalls).noneMatch(any -> any.blocked().pid() == given);
    slow.go();
    awaitUntil(() -> told.ended.stream().anyMatch(ended -> ended.blocked().pid() == held));
  }

  @Test
  void sampling_keeps_to_its_share_of_a_processor() throws Exception {
    sampler.close();
    start(
        "perl",
        "-e",
        "for (1..300) { my $p = fork; $p or do { sleep 1000; exit }; push @p, $p } <STDIN>; kill 'KILL', @p");
    TaskSampler poor =
        new TaskSampler(
            files, new SamplerOptions(0.01, Duration.ofMillis(1), Duration.ofSeconds(1)), told);
    long start = System.nanoTime();
    poor.start();
    try {
      awaitUntil(() -> System.nanoTime() - start > 6_000_000_000L && poor.sweeps() > 2);
      long elapsed = System.nanoTime() - start;

      assertThat(poor.cpuNanos())
          .as("what was saved at first, a hundredth, and the last step")
          .isLessThan(200_000_000L + elapsed / 100 + 50_000_000L);
    } finally {
      poor.close();
      Process parent = started.get(started.size() - 1);
      parent.outputWriter().close();
      parent.waitFor();
    }
  }

  private Set<BlockedTask> shown(Set<Integer> pids) {
    return sampler.blocked().stream()
        .filter(task -> pids.contains(task.pid()))
        .collect(Collectors.toSet());
  }

  private static Set<Integer> pidsOf(List<BlockedTask> tasks) {
    return tasks.stream().map(BlockedTask::pid).collect(Collectors.toSet());
  }

  private static Bytes bytes(String text) {
    return new Bytes(text.getBytes(UTF_8));
  }

  private int inNamespace(String... command) throws IOException {
    List<String> whole = new ArrayList<>(List.of("nsenter", "-t", slow.pid() + "", "-m"));
    whole.addAll(List.of(command));
    return start(whole.toArray(String[]::new));
  }

  /** nsenter becomes the command, so the pid stays. */
  private int start(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    started.add(process);
    return (int) process.pid();
  }

  private static void awaitUntil(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
      Thread.sleep(5);
    }
  }

  private static final class Told implements BlockingListener {
    private final List<BlockedTask> blocked = new CopyOnWriteArrayList<>();
    private final List<BlockedTask> released = new CopyOnWriteArrayList<>();
    private final List<Stall> stalls = new CopyOnWriteArrayList<>();
    private final List<Stall> ended = new CopyOnWriteArrayList<>();

    @Override
    public void taskBlocked(BlockedTask task, long nowNanos) {
      blocked.add(task);
    }

    @Override
    public void taskReleased(BlockedTask task, long nowNanos) {
      released.add(task);
    }

    @Override
    public void stalled(Stall stall, long nowNanos) {
      stalls.add(stall);
    }

    @Override
    public void stallEnded(Stall stall, long nowNanos) {
      ended.add(stall);
    }
  }
}
