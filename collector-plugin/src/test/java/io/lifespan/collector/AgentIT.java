package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.lifespan.collector.testing.Program;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lifespan agent}, the real program on the running kernel. */
class AgentIT {

  private static final String NO_ENDPOINT = "otel.sdk.disabled=true";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void exportsEveryProcessUntilStopped(String signal) throws Exception {
    try (Program agent =
        Program.start(
            directory, Map.of(), "agent", "--otlp-dir", directory.toString(), "-D", NO_ENDPOINT)) {
      agent.awaitErr("lifespan: watching ");
      Process process = new ProcessBuilder("sh", "-c", "sleep 0.1; exit 42").start();
      assertThat(process.waitFor()).isEqualTo(42);
      agent.signal(signal);
      Program.Result result = agent.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.err())
          .hasLineCount(2)
          .startsWith("lifespan: watching ")
          .containsPattern("by (ebpf|connector) \\(.*fork,exec")
          .contains("JSON lines in " + directory)
          .containsPattern("\\nlifespan: stopped; [0-9,]+ processes known = ");
      List<JsonObject> spans = Program.spans(directory);
      JsonObject shell =
          spans.stream()
              .filter(s -> Long.toString(process.pid()).equals(Program.attribute(s, "process.pid")))
              .findAny()
              .orElseThrow();
      assertThat(Program.attribute(shell, "process.exit.code")).isEqualTo("42");
      assertThat(spans)
          .filteredOn(
              span ->
                  span.has("parentSpanId") && span.get("parentSpanId").equals(shell.get("spanId")))
          .extracting(span -> span.get("name").getAsString())
          .containsExactly("sleep");
    }
  }

  @Test
  void isWhatIsDoneWithoutACommand() throws Exception {
    try (Program agent = Program.start(directory, Map.of(), "-D", NO_ENDPOINT)) {
      agent.awaitErr("lifespan: watching ");
      agent.signal("TERM");

      assertThat(agent.await().exitCode()).isZero();
    }
  }

  @Test
  void oneThatWasStoppedWhileProcessesCameAndWentCountsItsLossesExactlyAndGoesOn()
      throws Exception {
    try (Program agent =
        Program.start(
            directory,
            Map.of(),
            "agent",
            "--otlp-dir",
            directory.toString(),
            "-D",
            NO_ENDPOINT,
            "-D",
            "lifespan.sources=connector",
            "-D",
            "lifespan.connector.receive-buffer=64k")) {
      agent.awaitErr("lifespan: watching ");
      agent.signal("STOP");
      new ProcessBuilder(
              "perl",
              "-e",
              "$end = time + 10; for (1..5000) { fork || exit; wait } sleep 1 while time < $end")
          .start()
          .waitFor();
      agent.signal("CONT");
      agent.awaitErr("lifespan.connector.receive-buffer, now 65,536 bytes");
      Process after = new ProcessBuilder("sh", "-c", "sleep 0.1; exit 42").start();
      after.waitFor();
      long drops = drops(agent.pid());
      agent.signal("TERM");
      Program.Result result = agent.await();

      assertThat(result.exitCode()).isZero();
      Matcher ledger =
          Pattern.compile(
                  "(?s).* ([0-9]+) processes known = ([0-9]+) ended \\+ ([0-9]+) alive \\+ ([0-9]+)"
                      + " vanished unseen; ([0-9]+) events lost\\s*")
              .matcher(result.err().replace(",", ""));
      assertThat(ledger.matches()).as(result.err()).isTrue();
      assertThat(number(ledger, 1))
          .isEqualTo(number(ledger, 2) + number(ledger, 3) + number(ledger, 4));
      assertThat(number(ledger, 5)).isEqualTo(drops).isGreaterThan(5_000);
      assertThat(Program.spans(directory))
          .anySatisfy(
              span -> {
                assertThat(Program.attribute(span, "process.pid"))
                    .isEqualTo(Long.toString(after.pid()));
                assertThat(Program.attribute(span, "process.exit.code")).isEqualTo("42");
              });
    }
  }

  private static long number(Matcher matcher, int group) {
    return Long.parseLong(matcher.group(group));
  }

  /** What the kernel says it dropped at the connector sockets of a process. */
  private static long drops(long pid) throws IOException {
    Set<String> sockets = sockets(pid);
    return new String(
            new FileInputStream("/proc/net/netlink").readAllBytes(), StandardCharsets.US_ASCII)
        .lines()
        .skip(1)
        .map(line -> line.trim().split("\\s+", -1))
        .filter(fields -> fields[1].equals("11") && sockets.contains(fields[9]))
        .mapToLong(fields -> Long.parseLong(fields[8]))
        .sum();
  }

  /** The inode numbers of a process's sockets. */
  private static Set<String> sockets(long pid) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (DirectoryStream<Path> descriptors =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : descriptors) {
        String target = Files.readSymbolicLink(descriptor).toString();
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    }
    return inodes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ebpf", "connector", "ebpf,connector"})
  void theSourceIsTheFirstOfThoseNamedThatWorks(String sources) throws Exception {
    try (Program agent =
        Program.start(directory, Map.of("LIFESPAN_SOURCES", sources), "agent", "-D", NO_ENDPOINT)) {
      agent.awaitErr("lifespan: watching ");
      agent.signal("TERM");
      Program.Result result = agent.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.err()).contains(" by " + sources.split(",", 2)[0] + " (kernel: ");
    }
  }

  @Test
  void losingWhatTheRingCannotHoldIsToldWithItsSettingAndRepaired() throws Exception {
    try (Program agent =
        Program.start(
            directory,
            Map.of("LIFESPAN_SOURCES", "ebpf", "LIFESPAN_EBPF_RING_BUFFER", "64k"),
            "agent",
            "-D",
            NO_ENDPOINT)) {
      agent.awaitErr("lifespan: watching ");
      agent.signal("STOP");
      new ProcessBuilder("perl", "-e", "for (1..1500) { fork || exit; wait }").start().waitFor();
      agent.signal("CONT");
      agent.awaitErr("lifespan.ebpf.ring-buffer, now 65,536");
      agent.signal("TERM");
      Program.Result result = agent.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.err()).containsPattern("; [0-9,]+ events lost");
    }
  }

  @Test
  void whereTheKernelCannotBeAskedTheConnectorTakesOverAndTheCauseIsSaid() throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("setpriv", "--bounding-set=-bpf,-perfmon,-sys_admin"));
    command.addAll(Program.commandLine("agent", "-D", NO_ENDPOINT));
    try (Program agent = Program.startCommand(directory, Map.of(), command)) {
      agent.awaitErr("lifespan: watching ");
      agent.signal("TERM");
      Program.Result result = agent.await();

      assertThat(result.err())
          .startsWith(
              "lifespan: ebpf: this user may not load programs into the kernel: without CAP_BPF and"
                  + " CAP_PERFMON (")
          .contains(" by connector (");
    }
  }
}
