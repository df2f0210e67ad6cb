package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.Program;
import java.nio.file.Path;
import java.util.List;
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

  private static int lineOf(List<String> lines, long pid) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).strip().startsWith(pid + " ")) {
        return i;
      }
    }
    throw new AssertionError("no line of pid " + pid + " in " + lines);
  }
}
