package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.lifespan.collector.testing.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lifespan run}, the real program on the running kernel. */
class RunIT {

  /** Less than the 10 s for which an exporter alone would try. */
  private static final long LAST_SPANS_SECONDS = 7;

  /** Of a command that failed: its span, its metrics, and the log event of its exit, in a line. */
  private static final String NOTHING_DELIVERED =
      "lifespan: 1 of 1 spans, ([1-9][0-9]*) of \\1 data points, 1 of 1 log events not delivered to .*";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exit 0|0",
        "exit 3|3",
        "exit 255|255",
        "kill -TERM $$|143",
        "kill -KILL $$|137",
        "kill -SEGV $$|139",
      })
  void endsAsItsCommandDid(String script, int code) throws Exception {
    assertThat(run("sh", "-c", script).exitCode()).isEqualTo(code);
  }

  @Test
  void saysThatThereIsNoSuchCommand() throws Exception {
    Program.Result result = run("no-such-command");

    assertThat(result.exitCode()).isEqualTo(127);
    assertThat(result.err()).isEqualTo("lifespan: no-such-command: no such command\n");
  }

  @Test
  void saysWhyACommandCannotBeExecuted() throws Exception {
    Path file = Files.writeString(directory.resolve("data"), "data");
    Program.Result result = run(file.toString());

    assertThat(result.exitCode()).isEqualTo(126);
    assertThat(result.err())
        .contains("cannot be executed: EACCES (permission denied)")
        .hasLineCount(1);
  }

  @Test
  void aScriptWithoutAnInterpreterLineIsGivenToTheShell() throws Exception {
    Path script = Files.writeString(directory.resolve("script"), "echo \"$1\"; exit 4\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    assertThat(run(script.toString(), "argument"))
        .satisfies(result -> assertThat(result.exitCode()).isEqualTo(4))
        .satisfies(result -> assertThat(result.out()).isEqualTo("argument\n"));
  }

  @Test
  void everyErrorIsToldAndNothingIsStarted() throws Exception {
    Path trace = directory.resolve("trace");
    Program.Result result =
        Program.run(
            directory, "run", "--wiat", "--events", "frok", "--", "touch", trace.toString());

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("did you mean --wait?").contains("did you mean fork?");
    assertThat(trace).doesNotExist();
  }

  @Test
  void aDirectoryThatCannotBeWrittenStopsTheStart() throws Exception {
    Program.Result result =
        Program.run(directory, "run", "--otlp-dir", "/proc/none", "--", "echo", "started");

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("/proc/none");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void printsTheTreeOnStandardErrorAndLeavesTheOutputAlone() throws Exception {
    Program.Result result =
        run("sh", "-c", "echo out; echo err >&2; sleep 0.2; (sleep 0.2; exit 5); exit 3");

    assertThat(result.out()).isEqualTo("out\n");
    assertThat(result.err().lines())
        .hasSize(6)
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("err"),
            line -> assertThat(line).startsWith("sh -c 'echo out; ").endsWith(" exit 3"),
            line -> assertThat(line).startsWith("├─ sleep 0.2 ").endsWith(" ms"),
            line -> assertThat(line).startsWith("└─ (sh) ").endsWith(" exit 5"),
            line -> assertThat(line).startsWith("   └─ sleep 0.2 ").endsWith(" ms"),
            line -> assertThat(line).startsWith("4 processes, 2 failed, "));
  }

  @Test
  void printsNothingOfItsOwnWithoutTheTree() throws Exception {
    Program.Result result = Program.run(directory, "run", "--no-tree", "--", "echo", "x");

    assertThat(result.out()).isEqualTo("x\n");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void theCommandSeesItsArgumentsByteForByte() throws Exception {
    String command = String.join(" ", Program.commandLine("run", "--no-tree", "--"));
    Program.Result result =
        shell(command + " printf '<%s>' \"$(printf 'a\\377\\303b')\" '' 'x y' -- --wait '*'");

    assertThat(result.out()).isEqualTo("<a\u00ff\u00c3b><><x y><--><--wait><*>");
  }

  @Test
  void theCommandSeesTheEnvironmentOfTheUserAndItsOwnTraceparent() throws Exception {
    String command = String.join(" ", Program.commandLine("run", "--no-tree", "--"));
    String setUp = "export ODD=\"$(printf 'a\\377b')\" _JAVA_SR_SIGNUM=51; ";
    List<String> direct = new ArrayList<>(shell(setUp + "exec env").out().lines().toList());
    List<String> traced =
        new ArrayList<>(shell(setUp + "exec " + command + " env").out().lines().toList());

    assertThat(traced.removeIf(line -> line.matches("TRACEPARENT=00-[0-9a-f]{32}-[0-9a-f]{16}-01")))
        .isTrue();
    assertThat(traced).containsExactlyInAnyOrderElementsOf(direct);
  }

  @Test
  void theCommandsSpanIsBelowTheGivenTraceparentAndAboveItsDescendants() throws Exception {
    String trace = "0af7651916cd43dd8448eb211c80319c";
    Program.Result result =
        Program.run(
            directory,
            Map.of("TRACEPARENT", "00-" + trace + "-b7ad6b7169203331-01"),
            "run",
            "--otlp-dir",
            directory.toString(),
            "--",
            "sh",
            "-c",
            "echo $TRACEPARENT; sleep 0.1; exit 3");

    List<JsonObject> spans = Program.spans(directory);
    assertThat(spans).hasSize(2);
    JsonObject shell = named(spans, "sh");
    JsonObject sleep = named(spans, "sleep");
    String own = text(shell, "spanId");
    assertThat(result.out()).isEqualTo("00-" + trace + "-" + own + "-01\n");
    assertThat(text(shell, "traceId")).isEqualTo(trace);
    assertThat(text(shell, "parentSpanId")).isEqualTo("b7ad6b7169203331");
    assertThat(text(sleep, "traceId")).isEqualTo(trace);
    assertThat(text(sleep, "parentSpanId")).isEqualTo(own);
    assertThat(Program.attribute(shell, "process.exit.code")).isEqualTo("3");
    assertThat(Program.attribute(sleep, "process.parent_pid"))
        .isEqualTo(Program.attribute(shell, "process.pid"));
  }

  @Test
  void aCommandThatClosesItsDescriptorsEnds() throws Exception {
    assertThat(run("sh", "-c", "exec <&- >&- 2>&-; exit 6").exitCode()).isEqualTo(6);
  }

  /** Of a standard descriptor that was closed the JDK may make /dev/null, never anything else. */
  @Test
  void worksWithoutStandardDescriptors() throws Exception {
    String command = String.join(" ", Program.commandLine("run", "--"));
    Path seen = directory.resolve("descriptors");
    String look = "readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 > " + seen + "; exit 7";

    assertThat(shell(command + " bash -c '" + look + "' <&- >&- 2>&-").exitCode()).isEqualTo(7);
    assertThat(Files.readAllLines(seen)).allMatch("/dev/null"::equals);
  }

  @Test
  void otherDescriptorsOfTheUserArePassedOn() throws Exception {
    String command = String.join(" ", Program.commandLine("run", "--no-tree", "--"));

    assertThat(shell(command + " sh -c 'echo passed >&7' 7>&1").out()).isEqualTo("passed\n");
  }

  @Test
  void aDescriptorAboveTheLimitOfOpenFilesDoesNotKeepACommandFromStarting() throws Exception {
    List<String> program = new ArrayList<>(Program.commandLine("run", "--no-tree", "--", "true"));
    program.add(1, "-XX:-MaxFDLimit");
    List<String> command =
        new ArrayList<>(
            List.of("bash", "-c", "exec 300</dev/null; ulimit -Sn 256; exec \"$@\"", "bash"));
    command.addAll(program);
    try (Program started = Program.startCommand(directory, Map.of(), command)) {
      Program.Result result = started.await();

      assertThat(result.err()).isEmpty();
      assertThat(result.exitCode()).isZero();
    }
  }

  @Test
  void theArgumentsOfTheCommandAreKnownHoweverShortItLives() throws Exception {
    for (int i = 0; i < 3; i++) {
      Program.run(directory, "run", "--otlp-dir", directory.toString(), "--", "sh", "-c", "exit 3");
    }

    assertThat(Program.spans(directory))
        .hasSize(3)
        .extracting(span -> Program.attribute(span, "process.args_count"))
        .containsOnly("3");
  }

  @Test
  void aCoreThatWasNotDumpedIsNotTold() throws Exception {
    Program.Result result = run("sh", "-c", "ulimit -c 0; kill -SEGV $$");

    assertThat(result.exitCode()).isEqualTo(139);
    assertThat(result.err()).contains("SIGSEGV").doesNotContain("core");
  }

  @Test
  void whatACommandLeavesBehindIsShownAsRunningAndNotWaitedFor() throws Exception {
    Program.Result result =
        Program.run(
            directory,
            "run",
            "--otlp-dir",
            directory.toString(),
            "--",
            "sh",
            "-c",
            "sleep 1000 <&- >&- 2>&- & echo $!");
    long left = Long.parseLong(result.out().strip());
    try {
      assertThat(ProcessHandle.of(left)).isPresent();
      assertThat(result.exitCode()).isZero();
      assertThat(result.err())
          .contains("sleep 1000 ")
          .contains(" running\n")
          .contains("1 still running");
      JsonObject span = named(Program.spans(directory), "sleep");
      assertThat(Program.attribute(span, "lifespan.end.observed")).isEqualTo("not_yet");
    } finally {
      ProcessHandle.of(left).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void descendantsThatOutliveTheCommandAreFollowedIfAskedFor() throws Exception {
    Program.Result result =
        Program.run(directory, "run", "--wait", "--", "sh", "-c", "(sleep 2; exit 9) & exit 3");

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).contains(" exit 9\n").doesNotContain("running");
  }

  @Test
  void aSignalEndsTheWaiting() throws Exception {
    try (Program program =
        Program.start(
            directory,
            Map.of(),
            "run",
            "--wait",
            "--",
            "sh",
            "-c",
            "sleep 1000 & echo $!; exit 3")) {
      program.awaitOut("\n");
      long left = Long.parseLong(program.out().strip());
      try {
        long shell = ProcessHandle.of(left).orElseThrow().pid();
        program.awaitUntil("the command is gone", () -> !hasChildren(program.pid()));
        program.signal("TERM");
        Program.Result result = program.await();

        assertThat(shell).isEqualTo(left);
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err()).contains("1 still running");
      } finally {
        ProcessHandle.of(left).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void aCommandThatExecutesItselfIsOneProcess() throws Exception {
    Program.Result result = run("sh", "-c", "exec sh -c 'exec sleep 0.2'");

    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).startsWith("sleep 0.2 ").contains("\n1 process, ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HUP", "INT", "QUIT", "TERM", "USR1", "USR2"})
  void aSignalIsPassedOn(String signal) throws Exception {
    String script = "trap 'exit 9' " + signal + "; echo ready; while :; do sleep 0.05; done";
    try (Program program = Program.start(directory, Map.of(), "run", "--", "sh", "-c", script)) {
      program.awaitOut("ready");
      program.signal(signal);

      assertThat(program.await().exitCode()).isEqualTo(9);
    }
  }

  @Test
  void aCommandThatASignalEndsEndsTheProgramWith128AndTheSignal() throws Exception {
    try (Program program =
        Program.start(
            directory, Map.of(), "run", "--", "sh", "-c", "echo ready; exec sleep 1000")) {
      program.awaitOut("ready");
      program.signal("TERM");
      Program.Result result = program.await();

      assertThat(result.exitCode()).isEqualTo(143);
      assertThat(result.err()).contains(" SIGTERM\n");
    }
  }

  /**
   * Under a shell with job control: nobody is stopped by SIGTSTP in a process group that has no
   * parent beside it.
   */
  @Test
  void stopsAndGoesOnWithItsCommand() throws Exception {
    Path pidFile = directory.resolve("pid");
    String jobControl = "set -m; \"$@\" & echo $! >" + pidFile + "; wait -f $!";
    String script = "echo $$; while [ ! -e " + directory + "/go ]; do sleep 0.05; done; exit 8";
    List<String> command = new ArrayList<>(List.of("setsid", "bash", "-c", jobControl, "bash"));
    command.addAll(Program.commandLine("run", "--", "sh", "-c", script));
    try (Program shell = Program.startCommand(directory, Map.of(), command)) {
      shell.awaitOut("\n");
      long stopped = Long.parseLong(shell.out().strip());
      long lifespan = Long.parseLong(Files.readString(pidFile).strip());
      signal(lifespan, "TSTP");
      shell.awaitUntil("the command has stopped", () -> Program.state(stopped).equals("T"));
      shell.awaitUntil("the program has stopped", () -> Program.state(lifespan).equals("T"));
      Files.createFile(directory.resolve("go"));
      signal(lifespan, "CONT");

      assertThat(shell.await().exitCode()).isEqualTo(8);
    }
  }

  private static void signal(long pid, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
  }

  @Test
  void saysWhatWasNotDeliveredAndEndsAsItsCommand() throws Exception {
    int refusing;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      refusing = socket.getLocalPort();
    }
    Program.Result result = runWithEndpoint("http://127.0.0.1:" + refusing);

    assertThat(result.exitCode()).isEqualTo(5);
    assertThat(result.err().lines())
        .hasSize(1)
        .allMatch(line -> line.matches(NOTHING_DELIVERED) && line.contains("refused"));
  }

  @Test
  void anEndpointThatHangsDoesNotHoldIt() throws Exception {
    try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Program.Result result = runWithEndpoint("http://127.0.0.1:" + hanging.getLocalPort());
      long commandEnded = Long.parseLong(result.out().strip());

      assertThat(result.exitCode()).isEqualTo(5);
      assertThat(result.err().strip()).matches(NOTHING_DELIVERED);
      assertThat(System.currentTimeMillis() / 1000 - commandEnded).isLessThan(LAST_SPANS_SECONDS);
    }
  }

  private Program.Result runWithEndpoint(String endpoint) throws Exception {
    return Program.run(
        directory,
        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint),
        "run",
        "--no-tree",
        "--",
        "bash",
        "-c",
        "printf '%(%s)T' -1; exit 5");
  }

  private Program.Result run(String... command) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("run", "--"));
    arguments.addAll(List.of(command));
    return Program.run(directory, arguments.toArray(String[]::new));
  }

  private Program.Result shell(String script) throws IOException, InterruptedException {
    try (Program program = Program.startCommand(directory, Map.of(), List.of("sh", "-c", script))) {
      return program.await();
    }
  }

  private static boolean hasChildren(long pid) {
    try {
      return !Files.readString(
                  Path.of("/proc/" + pid + "/task/" + pid + "/children"), StandardCharsets.US_ASCII)
              .isBlank()
          || ProcessHandle.of(pid).orElseThrow().children().findAny().isPresent();
    } catch (IOException gone) {
      return false;
    }
  }

  private static JsonObject named(List<JsonObject> spans, String name) {
    return spans.stream().filter(span -> text(span, "name").equals(name)).findAny().orElseThrow();
  }

  private static String text(JsonObject span, String field) {
    return span.has(field) ? span.get(field).getAsString() : "";
  }
}
