package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lifespan ps}, the real program on the running kernel. */
class PsIT {

  @TempDir Path directory;

  @Test
  void showsChildrenBelowTheirParentsAndSecretsMasked() throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "sleep 1000 & wait; : --password hunter2").start();
    try {
      while (shell.descendants().count() == 0) {
        Thread.onSpinWait();
      }
      long sleep = shell.descendants().findFirst().orElseThrow().pid();
      Program.Result result = Program.run(directory, "ps", "--tree");

      assertThat(result.exitCode()).isZero();
      List<String> lines = result.out().lines().toList();
      assertThat(lines.get(0)).contains("PID", "PPID", "THREADS", "START", "COMMAND");
      int parent = lineOf(lines, shell.pid());
      int child = lineOf(lines, sleep);
      assertThat(child).isEqualTo(parent + 1);
      assertThat(lines.get(child)).contains("sleep 1000");
      assertThat(lines.get(child).indexOf("sleep")).isEqualTo(lines.get(parent).indexOf("sh") + 2);
      assertThat(result.out()).doesNotContain("hunter2");
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  @Test
  void showsAServerThatRecyclesItsWorkersByItsForks() throws Exception {
    Process server =
        new ProcessBuilder(
                "sh", "-c", "while :; do sleep 0.05 & sleep 0.05 & wait; done; : --token hunter2")
            .start();
    try {
      Program.Result result = Program.run(directory, "ps", "--forks", "8s");

      assertThat(result.exitCode()).as(result.err()).isZero();
      List<String> lines = result.out().lines().toList();
      assertThat(lines.get(0).strip().split(" +", -1))
          .containsExactly(
              "PID",
              "PPID",
              "THREADS",
              "FORKS",
              "FORKS/S",
              "CHILDREN",
              "DEPTH",
              "GEN",
              "START",
              "COMMAND");
      String[] line = lines.get(lineOf(lines, server.pid())).strip().split(" +", -1);
      long forks = Long.parseLong(line[3]);
      assertThat(forks).isGreaterThan(2);
      assertThat(Double.parseDouble(line[4])).isPositive().isLessThan((double) forks);
      assertThat(Integer.parseInt(line[5])).isBetween(0, 2);
      assertThat(Integer.parseInt(line[6])).isPositive();
      assertThat(lineOf(lines, server.pid())).isLessThan(lineOf(lines, 1));
      String executable =
          server.info().command().map(Path::of).orElseThrow().getFileName().toString();
      String totals =
          lines.stream().filter(each -> each.endsWith("  " + executable)).findAny().orElseThrow();
      assertThat(Long.parseLong(totals.strip().split(" +", -1)[0])).isGreaterThanOrEqualTo(forks);
      assertThat(result.out()).doesNotContain("hunter2");
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void aWatchEndsSoonerWhenAsked() throws Exception {
    try (Program program = Program.start(directory, Map.of(), "ps", "--tree", "--forks", "10h")) {
      program.awaitUntil("it watches", () -> watches(program.pid()));
      program.signal("INT");

      Program.Result result = program.await();
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertThat(result.out()).contains("FORKS/S", "EXECUTABLE");
    }
  }

  /** True once the thread that owns its table runs: then it obeys signals. */
  private static boolean watches(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads.anyMatch(thread -> name(thread).equals("lifespan-table"));
    } catch (IOException gone) {
      return false;
    }
  }

  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).strip();
    } catch (IOException gone) {
      return "";
    }
  }

  @Test
  void aWrongDurationStopsTheStart() throws Exception {
    Program.Result result = Program.run(directory, "ps", "--forks", "soon");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("--forks: \"soon\" is not a duration above 0");
  }

  @Test
  void forksCannotBeCountedWithoutTheirEvents() throws Exception {
    Program.Result result = Program.run(directory, "ps", "--forks", "1s", "--events", "exec,exit");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("--forks needs fork, exec and exit");
  }

  private static int lineOf(List<String> lines, long pid) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().startsWith(pid + " ")) {
        return i;
      }
    }
    throw new AssertionError("no line of pid " + pid + " in " + lines);
  }
}
