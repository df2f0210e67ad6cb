package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.lifespan.collector.testing.Program;
import io.lifespan.collector.testing.StraceLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code lifespan run} where the kernel gives no events: the real program traces its command. */
class RunByPtraceIT {

  private static final String NAMED = "-Dlifespan.sources=ptrace";

  /** In namespaces of its own, as somebody who may do nothing. */
  private static final List<String> IN_A_CONTAINER =
      List.of(
          "unshare",
          "--pid",
          "--fork",
          "--kill-child",
          "--mount-proc",
          "--net",
          "--ipc",
          "setpriv",
          "--reuid=65534",
          "--regid=65534",
          "--clear-groups",
          "--bounding-set=-all",
          "--inh-caps=-all",
          "--no-new-privs");

  private static final int FILES = 8;

  @TempDir Path directory;

  /** What is equal in two runs of the same build: program, its parent's program, exit code. */
  private record Part(String program, String parent, int exitCode) {}

  @Test
  void aBuildAsNobodyInAContainerIsExactlyWhatStraceSees() throws Exception {
    Path home = opened(Files.createDirectory(directory.resolve("home")));
    Path jar = Files.copy(Program.jar(), home.resolve("lifespan.jar"));
    Path log = home.resolve("strace.log");
    List<String> strace =
        List.of("strace", "-f", "-q", "-e", "signal=none", "-e", "trace=process", "-o");
    List<String> straced = new ArrayList<>(strace);
    straced.add(log.toString());
    straced.addAll(make(home, "first"));
    Program.Result bare = contained(straced);
    List<String> traced =
        Program.commandLine(jar, "run", "--otlp-dir", home.resolve("trace").toString(), "--");
    traced.addAll(make(home, "second"));
    Program.Result result = contained(traced);

    assertThat(bare.exitCode()).as(bare.err()).isEqualTo(2);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
    assertThat(result.err())
        .contains("lifespan: watching by ptrace, since ebpf: ")
        .contains("connector: process events are given only to the initial network namespace");
    List<Part> expected = ofStrace(StraceLog.read(log));
    assertThat(expected).hasSizeGreaterThan(2 * FILES);
    assertThat(ofSpans(Program.spans(home.resolve("trace"))))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exit 3|3",
        "kill -KILL $$|137",
        "trap 'exit 5' USR1; kill -USR1 $$; exit 6|5",
        "sh -c 'kill -TRAP $$'; exit $?|133",
      })
  void signalsArriveUntouchedAndItEndsAsItsCommandDid(String script, int code) throws Exception {
    Program.Result result = Program.run(directory, "run", NAMED, "--", "sh", "-c", script);

    assertThat(result.exitCode()).as(result.err()).isEqualTo(code);
    assertThat(result.err()).doesNotContain("lifespan:");
  }

  @Test
  void aStoppedJobStaysStoppedAndGoesOn() throws Exception {
    Path out = directory.resolve("pid");
    String script = "echo $$ > " + out + "; kill -STOP $$; exit 9";
    try (Program program =
        Program.start(directory, Map.of(), "run", NAMED, "--", "sh", "-c", script)) {
      program.awaitUntil("it is stopped itself", () -> Program.state(program.pid()).equals("T"));
      long pid = Long.parseLong(Files.readString(out).strip());
      assertThat(Program.state(pid)).isIn("T", "t");
      program.signal("CONT");

      assertThat(program.await().exitCode()).isEqualTo(9);
    }
  }

  @Test
  void theCommandGoesOnWhenItsTracerIsKilled() throws Exception {
    Path started = directory.resolve("started");
    Path over = directory.resolve("over");
    String script =
        "touch " + started + "; while [ -e " + started + " ]; do sleep 0.1; done; touch " + over;
    try (Program program =
        Program.start(directory, Map.of(), "run", NAMED, "--", "sh", "-c", script)) {
      program.awaitUntil("it has started", () -> Files.exists(started));
      program.signal("KILL");
      program.await();
      Files.delete(started);
      program.awaitUntil("it goes on to its end", () -> Files.exists(over));
    }
  }

  @Test
  void descendantsThatOutliveTheCommandAreFollowedIfAskedFor() throws Exception {
    Program.Result result =
        Program.run(
            directory, "run", NAMED, "--wait", "--", "sh", "-c", "(sleep 0.5; exit 7) & exit 0");

    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).containsPattern("└─ \\(sh\\) .* exit 7\n").contains("3 processes");
  }

  @Test
  void anAgentIsToldThatItFollowsNoMachine() throws Exception {
    Program.Result result = Program.run(directory, "agent", NAMED);

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains("ptrace: follows only a command that is started by it")
        .contains("lifespan run");
  }

  private Program.Result contained(List<String> command) throws Exception {
    List<String> whole = new ArrayList<>(IN_A_CONTAINER);
    whole.addAll(List.of("env", "LC_ALL=C"));
    whole.addAll(command);
    try (Program program = Program.startCommand(directory, Map.of(), whole)) {
      return program.await();
    }
  }

  private List<String> make(Path home, String name) throws IOException {
    Path project = opened(Files.createDirectory(home.resolve(name)));
    StringBuilder objects = new StringBuilder();
    for (int i = 0; i < FILES; i++) {
      Files.writeString(project.resolve("f" + i + ".c"), "int f" + i + "(void) { return 1; }\n");
      objects.append(" f").append(i).append(".o");
    }
    Files.writeString(project.resolve("main.c"), "int main(void) { return 0; }\n");
    Files.writeString(project.resolve("broken.c"), "int broken = ;\n");
    Files.writeString(
        project.resolve("Makefile"),
        "all: program broken\n"
            + "program: main.o"
            + objects
            + "\n\tgcc -o $@ $^ && $(CURDIR)/program; echo linked | cat > linked\n"
            + "%.o: %.c\n\tgcc -c -o $@ $<\n"
            + "broken: program\n\tgcc -c broken.c\n");
    return List.of("make", "-C", project.toString(), "-j4");
  }

  /** Everybody may write into it, and come to it. */
  private Path opened(Path path) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private List<Part> ofStrace(Map<Integer, StraceLog.Seen> seen) {
    return seen.values().stream()
        .map(
            each -> {
              StraceLog.Seen parent = seen.get(each.parent());
              return new Part(
                  name(each.program()),
                  parent == null ? "" : name(parent.program()),
                  each.exitCode());
            })
        .toList();
  }

  private List<Part> ofSpans(List<JsonObject> spans) {
    Map<String, String> programs = new HashMap<>();
    for (JsonObject span : spans) {
      programs.put(Program.attribute(span, "process.pid"), program(span));
    }
    return spans.stream()
        .map(
            span ->
                new Part(
                    program(span),
                    programs.getOrDefault(Program.attribute(span, "process.parent_pid"), ""),
                    Integer.parseInt(Program.attribute(span, "process.exit.code"))))
        .toList();
  }

  private String program(JsonObject span) {
    boolean executed = Integer.parseInt(Program.attribute(span, "lifespan.exec.generation")) > 0;
    return name(executed ? Program.attribute(span, "process.executable.path") : null);
  }

  /** Programs of the build itself lie elsewhere in each run. */
  private String name(String path) {
    if (path == null) {
      return "";
    }
    return path.startsWith(directory.toString()) ? path.substring(path.lastIndexOf('/') + 1) : path;
  }
}
