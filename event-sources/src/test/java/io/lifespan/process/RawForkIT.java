package io.lifespan.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forks that neither the JVM nor the C library knows of, by the running kernel. */
class RawForkIT {

  private static final int PARENT = 0;
  private static final int CHILD = 1;
  private static final int GRANDCHILD = 2;
  private static final int PARENT_AFTER = 9;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
  void each_process_knows_its_own_pid_and_generation(String compiler) throws Exception {
    List<Answer> answers = probe(compiler);

    assertThat(answers)
        .extracting(Answer::who)
        .containsExactly(PARENT, CHILD, GRANDCHILD, GRANDCHILD, CHILD, GRANDCHILD, PARENT_AFTER);
    assertThat(answers).allSatisfy(a -> assertThat(a.pid()).isEqualTo(a.truth()));
    assertThat(answers)
        .as("a grandchild whose parent never asked is one further, not two")
        .extracting(Answer::generation)
        .containsExactly(0, 1, 2, 1, 1, 2, 0);
    assertThat(answers.get(1).pid()).isNotEqualTo(answers.get(0).pid());
    assertThat(answers.subList(4, 6))
        .as("first of its own pid namespace")
        .extracting(Answer::pid)
        .containsExactly(1, 1);
    assertThat(answers.get(6).pid()).isEqualTo(answers.get(0).pid());
  }

  private List<Answer> probe(String compiler) throws IOException, InterruptedException {
    Path output = directory.resolve("answers");
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                compiler,
                "-XX:+UseSerialGC",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:GuaranteedSafepointInterval=0",
                "-cp",
                System.getProperty("java.class.path"),
                RawForkProbe.class.getName(),
                compiler.equals("-Xint") ? "100" : "50000")
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      end(process.toHandle());
    }
    assertThat(process.waitFor()).as(() -> read(errors)).isZero();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(output)).order(ByteOrder.nativeOrder());
    List<Answer> answers = new ArrayList<>();
    while (bytes.hasRemaining()) {
      answers.add(new Answer(bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt()));
    }
    return answers;
  }

  /** A forked child that hangs would hold the test for ever. */
  private static void end(ProcessHandle parent) {
    try (Stream<ProcessHandle> children = parent.descendants()) {
      children.forEach(ProcessHandle::destroyForcibly);
    }
    parent.destroyForcibly();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private record Answer(int who, int truth, int pid, int generation) {}
}
