package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

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

  private static final String NO_ENDPOINT = "otel.traces.exporter=none";

  @TempDir Path directory;
  private Path mountPoint;
  private Process server;

  @BeforeEach
  void mount() throws Exception {
    Path program = directory.resolve("slowfs");
    Path source = Path.of(System.getProperty("basedir", "")).resolve("../event-sources/src/test/c");
    assertThat(
            new ProcessBuilder(
                    "gcc", "-O1", "-o", program.toString(), source.resolve("slowfs.c").toString())
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
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
    try (Program doctor = start("doctor")) {
      assertThat(doctor.await().out())
          .contains("mount:      " + mountPoint + " (fuse.slowfs slowfs): healthy");
    }
    signal("STOP");

    try (Program doctor = start("doctor", "-D", "lifespan.blocking.stuck-after=500ms")) {
      Program.Result result = doctor.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.out())
          .contains("mount:      " + mountPoint + " (fuse.slowfs slowfs): stuck for ");
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

  private Program start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("nsenter", "-t", server.pid() + "", "-m"));
    command.addAll(Program.commandLine(arguments));
    return Program.startCommand(directory, Map.of(), command);
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, server.pid() + "").inheritIO().start().waitFor();
  }
}
