package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.lifespan.collector.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The real program where it may do little: what it takes, and what it says of it. */
class LadderIT {

  private static final String NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  private static final Map<String, String> NO_EXPORT =
      Map.of(
          "OTEL_TRACES_EXPORTER",
          "none",
          "OTEL_METRICS_EXPORTER",
          "none",
          "OTEL_LOGS_EXPORTER",
          "none");

  private static final String WITHOUT_RIGHTS = NOBODY + "--bounding-set=-all --inh-caps=-all ";

  /** In namespaces of its own; the shell then hides the processes of others. */
  private static final List<String> HIDING =
      List.of(
          "unshare",
          "--pid",
          "--fork",
          "--kill-child",
          "--mount-proc",
          "--net",
          "sh",
          "-c",
          "mount -o remount,hidepid=2 /proc; \"$@\"",
          "sh");

  @TempDir Path directory;
  private Path home;
  private Path jar;

  @BeforeEach
  void copy() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    home = Files.createDirectory(directory.resolve("home"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
    jar = Files.copy(Program.jar(), home.resolve("lifespan.jar"));
  }

  @Test
  void anAgentInAPlainContainerLooksForProcessesAndSaysWhy() throws Exception {
    Path trace = home.resolve("trace");
    Path go = home.resolve("go");
    String beside = "while ! [ -e " + go + " ]; do sleep 0.1; done; sleep 0.3; exit 42";
    List<String> command = new ArrayList<>(HIDING);
    command.addAll(words(WITHOUT_RIGHTS));
    command.addAll(List.of("sh", "-c", "sh -c '" + beside + "' & exec \"$@\"", "sh"));
    command.addAll(
        Program.commandLine(
            jar, "agent", "--otlp-dir", trace.toString(), "-D", "lifespan.arguments=redacted"));
    try (Program agent = Program.startCommand(directory, NO_EXPORT, command)) {
      agent.awaitErr("processes by poll (");
      Files.createFile(go);
      agent.awaitUntil("the end is exported", () -> span(trace, "42") != null);
      JsonObject sleep = span(trace, span -> span.toString().contains("\"0.3\""));
      JsonObject shell = span(trace, "42");

      assertThat(agent.err())
          .contains("lifespan: ebpf: ")
          .contains("lifespan: connector: ")
          .doesNotContain("lifespan: ptrace: ");
      assertThat(Program.attribute(sleep, "process.exit.code")).isEqualTo("0");
      assertThat(Program.attribute(sleep, "lifespan.start.observed")).isEqualTo("proc");
      assertThat(Program.attribute(sleep, "lifespan.end.observed")).isEqualTo("event");
      assertThat(Program.attribute(sleep, "process.parent_pid"))
          .isEqualTo(Program.attribute(shell, "process.pid"));
    }
  }

  @Test
  void aCommandMayBeLookedFor() throws Exception {
    Program.Result result =
        Program.run(
            directory,
            "run",
            "-Dlifespan.sources=poll",
            "--",
            "sh",
            "-c",
            "sleep 0.5; sh -c 'sleep 0.5; exit 3'; exit 4");

    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.err())
        .contains("├─ sleep 0.5 ")
        .containsPattern("└─ sh -c 'sleep 0.5; exit 3' .* exit 3\n")
        .contains("   └─ sleep 0.5 ")
        .contains("4 processes, 2 failed");
  }

  /** What the table in docs/sources.md says that each needs, on a kernel from 6.6 on. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ebpf      | --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon",
        "connector | --bounding-set=-all --inh-caps=-all",
        "poll      | --bounding-set=-all --inh-caps=-all",
      })
  void anAgentNeedsNoRoot(String source, String rights) throws Exception {
    Path trace = home.resolve("trace");
    List<String> command = new ArrayList<>(words(NOBODY + rights));
    command.addAll(
        Program.commandLine(
            jar, "agent", "--otlp-dir", trace.toString(), "-D", "lifespan.sources=" + source));
    try (Program agent = Program.startCommand(directory, NO_EXPORT, command)) {
      agent.awaitErr("processes by " + source + " (");
      Process child = new ProcessBuilder("sh", "-c", "sleep 0.3; exit 77").start();
      Predicate<JsonObject> ofChild =
          span -> Long.toString(child.pid()).equals(Program.attribute(span, "process.pid"));
      agent.awaitUntil("the end is exported", () -> span(trace, ofChild) != null);

      assertThat(Program.attribute(span(trace, ofChild), "process.exit.code")).isEqualTo("77");
    }
  }

  @Test
  void doctorTellsOfEachSourceWhatKeepsItAwayAndWhatItLeavesOut() throws Exception {
    List<String> command = new ArrayList<>(HIDING);
    command.addAll(words(WITHOUT_RIGHTS));
    command.addAll(Program.commandLine(jar, "doctor"));
    try (Program doctor = Program.startCommand(directory, NO_EXPORT, command)) {
      Program.Result result = doctor.await();

      assertThat(result.exitCode()).as(result.err()).isOne();
      assertThat(result.out())
          .containsPattern("verdict: +something is missing, see proof")
          .containsPattern("ebpf: +unavailable: .*; ")
          .containsPattern("connector: +unavailable: .* --network=host")
          .containsPattern("ptrace: +works; only what `lifespan run` starts")
          .containsPattern("poll: +works; misses processes that end within milliseconds");
    }
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split(" "));
  }

  /** The span that ended with this exit code; null if there is none yet. */
  private static JsonObject span(Path trace, String exitCode) {
    return span(trace, span -> exitCode.equals(Program.attribute(span, "process.exit.code")));
  }

  private static JsonObject span(Path trace, Predicate<JsonObject> wanted) {
    try {
      return Program.spans(trace).stream().filter(wanted).findFirst().orElse(null);
    } catch (IOException | RuntimeException notWrittenYet) {
      return null;
    }
  }
}
