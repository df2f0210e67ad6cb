package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.lifespan.collector.testing.DocumentedNames;
import io.lifespan.collector.testing.MockOtlpServer;
import io.lifespan.collector.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program on a node with a file system that hangs; it is in a mount namespace of its own. */
class BlockingIT {

  private static final String EXECUTABLE = "process.executable.name";
  private static final String MOUNT = "system.filesystem.mountpoint";
  private static final String MOUNT_STATE = "lifespan.mount.state";
  private static final String NO_ENDPOINT = "otel.traces.exporter=none";

  @TempDir Path directory;
  private Path mountPoint;
  private Process server;

  @BeforeEach
  void mount() throws Exception {
    Path program = compile("slowfs.c");
    mountPoint = Files.createDirectories(directory.resolve("slow mount"));
    server = new ProcessBuilder(program.toString(), mountPoint.toString()).start();
    assertThat(server.inputReader().readLine()).isEqualTo("ok");
  }

  @AfterEach
  void unmount() throws Exception {
    server.destroyForcibly().waitFor();
  }

  @Test
  void theDoctorShowsEachMountAlsoOneThatHangs() throws Exception {
    try (Program doctor =
        start(
            "doctor",
            "-D",
            "lifespan.blocking.slow-after=60s",
            "-D",
            "lifespan.blocking.stuck-after=60s")) {
      assertThat(doctor.await().out())
          .contains("mount:      " + mountPoint + " (fuse.slowfs slowfs): healthy");
    }
    signal("STOP");

    try (Program doctor = start("doctor", "-D", "lifespan.blocking.stuck-after=500ms")) {
      Program.Result result = doctor.await();

      assertThat(result.exitCode()).isOne();
      assertThat(result.out())
          .contains("mount:      " + mountPoint + " (fuse.slowfs slowfs): stuck for ")
          .containsPattern("verdict: .*mount");
    }
  }

  @Test
  void theAgentTellsOfAMountThatStopsAnsweringAndOfItsRecoveryAndIsHeldUpByNeither()
      throws Exception {
    signal("STOP");
    try (Program agent =
        start(
            "agent",
            "-D",
            NO_ENDPOINT,
            "-D",
            "lifespan.blocking.stuck-after=500ms",
            "-D",
            "lifespan.blocking.mounts.include=fuse.slowfs")) {
      agent.awaitErr("lifespan: watching ");
      agent.awaitErr("mount " + mountPoint + " (fuse.slowfs slowfs) does not answer, since ");
      signal("CONT");
      agent.awaitErr("mount " + mountPoint + " (fuse.slowfs slowfs) answers again, after ");
      signal("STOP");
      agent.signal("TERM");

      assertThat(agent.await().exitCode()).isZero();
    }
  }

  @Test
  void whatBlocksIsAtTheReceiverWhileItBlocksAndOnTheSpanAfterwards() throws Exception {
    DocumentedNames documented = DocumentedNames.read();
    signal("STOP");
    Process perl = null;
    try (MockOtlpServer receiver = MockOtlpServer.start();
        Program agent =
            start(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    receiver.grpcEndpoint(),
                    "OTEL_METRIC_EXPORT_INTERVAL",
                    "500"),
                "agent",
                "-D",
                "lifespan.blocking.stuck-after=500ms",
                "-D",
                "lifespan.blocking.probe-interval=500ms",
                "-D",
                "lifespan.blocking.sample-interval=200ms",
                "-D",
                "lifespan.blocking.report-after=500ms",
                "-D",
                "lifespan.blocking.cpu-percent=20",
                "-D",
                "lifespan.blocking.mounts.include=fuse.slowfs")) {
      agent.awaitErr("lifespan: watching ");
      perl = inNamespace("perl", "-e", "stat $ARGV[0]; exit 3", mountPoint + "/file");
      String pid = Long.toString(perl.pid());
      JsonObject blocked =
          receiver.await(
              "resourceLogs", "logRecords", "file.path", mountPoint + "/file", Program.BOUND);
      JsonObject gauge =
          receiver.awaitMetric("lifespan.blocked.tasks", EXECUTABLE, "perl", Program.BOUND);
      JsonObject stuck =
          receiver.await("resourceLogs", "logRecords", MOUNT_STATE, "stuck", Program.BOUND);
      receiver.awaitMetric("lifespan.mount.status", MOUNT_STATE, "stuck", Program.BOUND);
      assertThat(perl.isAlive()).isTrue();

      signal("CONT");
      JsonObject span = receiver.await("resourceSpans", "spans", "process.pid", pid, Program.BOUND);
      receiver.await("resourceLogs", "logRecords", MOUNT_STATE, "healthy", Program.BOUND);
      receiver.awaitMetric("lifespan.blocked.duration", EXECUTABLE, "perl", Program.BOUND);
      receiver.awaitMetric("lifespan.mount.probe.duration", MOUNT, mountPoint + "", Program.BOUND);

      assertThat(blocked.get("body").getAsString())
          .matches("perl has been blocked in \\w+ of .*/slow mount/file for .* s");
      JsonObject about = blocked.getAsJsonObject("attributes");
      assertThat(about.get("process.pid").getAsString()).isEqualTo(pid);
      assertThat(about.get("thread.id").getAsString()).isEqualTo(pid);
      assertThat(about.get(MOUNT).getAsString()).isEqualTo(mountPoint.toString());
      assertThat(about.keySet()).isSubsetOf(documented.attributes().keySet());
      assertThat(stuck.get("body").getAsString())
          .startsWith("mount " + mountPoint + " (fuse.slowfs) does not answer, since ");
      assertThat(stuck.getAsJsonObject("attributes").keySet())
          .isSubsetOf(documented.attributes().keySet());
      assertThat(gauge.toString()).contains(mountPoint.toString()).contains("stat");
      assertThat(span.get("spanId")).isEqualTo(blocked.get("spanId"));
      assertThat(span.get("traceId")).isEqualTo(blocked.get("traceId"));
      JsonObject event = event(span, "lifespan.process.blocked");
      assertThat(nanos(event, "timeUnixNano"))
          .isBetween(nanos(span, "startTimeUnixNano"), nanos(span, "endTimeUnixNano"));
      agent.signal("TERM");
      assertThat(agent.await().exitCode()).isZero();
    } finally {
      if (perl != null) {
        perl.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void withoutTheRightToReadCallsTheAgentNamesItAndStillSeesUninterruptibleSleep()
      throws Exception {
    Path program = compile("vforker.c");
    Process vforker = new ProcessBuilder(program.toString()).start();
    try (MockOtlpServer receiver = MockOtlpServer.start();
        Program agent =
            start(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    receiver.grpcEndpoint(),
                    "OTEL_METRIC_EXPORT_INTERVAL",
                    "500"),
                List.of("setpriv", "--bounding-set=-sys_ptrace"),
                "agent",
                "-D",
                "lifespan.blocking.cpu-percent=20")) {
      agent.awaitErr("give it CAP_SYS_PTRACE");
      JsonObject gauge =
          receiver.awaitMetric("lifespan.blocked.tasks", EXECUTABLE, "vforker", Program.BOUND);

      assertThat(gauge.getAsJsonObject("gauge").toString()).contains("vforker");
      agent.signal("TERM");
      assertThat(agent.await().exitCode()).isZero();
    } finally {
      vforker.outputWriter().close();
      vforker.waitFor();
    }
  }

  @Test
  void whereProcessesAreHiddenMountsAreWatchedAllTheSame() throws Exception {
    signal("STOP");
    try (Program agent =
        start(
            Map.of(),
            List.of(
                "sh",
                "-c",
                "mount -t proc -o hidepid=2 proc /proc && exec setpriv --bounding-set=-sys_ptrace \"$@\"",
                "sh"),
            "agent",
            "-D",
            NO_ENDPOINT,
            "-D",
            "lifespan.blocking.stuck-after=500ms")) {
      agent.awaitErr("lifespan: watching ");
      agent.awaitErr("mount " + mountPoint + " (fuse.slowfs slowfs) does not answer, since ");
      agent.signal("TERM");

      assertThat(agent.await().exitCode()).isZero();
    }
  }

  @Test
  void theHostsMountsAreProbedInsteadOfOnesOwnWhereThatIsSet() throws Exception {
    try (Program doctor = start("doctor", "-D", "lifespan.blocking.host-mounts=true")) {
      Program.Result result = doctor.await();

      assertThat(result.out()).contains("mount:      / (").doesNotContain("fuse.slowfs");
    }
  }

  private static JsonObject event(JsonObject span, String name) {
    for (JsonElement event : span.getAsJsonArray("events")) {
      if (event.getAsJsonObject().get("name").getAsString().equals(name)) {
        return event.getAsJsonObject();
      }
    }
    throw new AssertionError("no " + name + " in " + span);
  }

  /** The receiver writes some numbers of 64 bits in two halves. */
  private static long nanos(JsonObject of, String name) {
    JsonElement value = of.get(name);
    if (value.isJsonPrimitive()) {
      return value.getAsLong();
    }
    JsonObject halves = value.getAsJsonObject();
    return (halves.get("high").getAsLong() << 32)
        | Integer.toUnsignedLong(halves.get("low").getAsInt());
  }

  private Path compile(String name) throws Exception {
    Path program = directory.resolve(name.replace(".c", ""));
    Path source = Path.of(System.getProperty("basedir", "")).resolve("../event-sources/src/test/c");
    assertThat(
            new ProcessBuilder(
                    "gcc", "-O1", "-o", program.toString(), source.resolve(name).toString())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
    return program;
  }

  private Process inNamespace(String... command) throws IOException {
    List<String> whole = new ArrayList<>(List.of("nsenter", "-t", server.pid() + "", "-m"));
    whole.addAll(List.of(command));
    return new ProcessBuilder(whole).start();
  }

  private Program start(String... arguments) throws IOException {
    return start(Map.of(), arguments);
  }

  private Program start(Map<String, String> environment, String... arguments) throws IOException {
    return start(environment, List.of(), arguments);
  }

  /** By a command that becomes the program. */
  private Program start(Map<String, String> environment, List<String> by, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("nsenter", "-t", server.pid() + "", "-m"));
    command.addAll(by);
    command.addAll(Program.commandLine(arguments));
    return Program.startCommand(directory, environment, command);
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, server.pid() + "").inheritIO().start().waitFor();
  }
}
