package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.lifespan.collector.testing.Program;
import io.lifespan.event.replay.Recording;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.process.TrackedProcess;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lifespan tail}, the real program on the running kernel. */
class TailIT {

  @TempDir Path directory;

  @Test
  void printsAJsonObjectForEachEventUntilStopped() throws Exception {
    try (Program tail = Program.start(directory, Map.of(), "tail", "--json")) {
      untilItPrints(tail, "exit 42");
      Process process = new ProcessBuilder("sh", "-c", "sleep 0.1; exit 42").start();
      long pid = process.pid();
      String exit = "\"kind\":\"exit\",\"pid\":" + pid;
      tail.awaitOut(exit);
      tail.signal("TERM");
      Program.Result result = tail.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.err()).isEmpty();
      List<JsonObject> own =
          result
              .out()
              .lines()
              .map(line -> JsonParser.parseString(line).getAsJsonObject())
              .filter(event -> event.has("pid") && event.get("pid").getAsLong() == pid)
              .filter(event -> !event.has("thread"))
              .toList();
      assertThat(own)
          .extracting(event -> event.get("kind").getAsString())
          .startsWith("fork")
          .containsSubsequence("fork", "exec", "exit");
      assertThat(own.get(own.size() - 1).get("exit_code").getAsInt()).isEqualTo(42);
      assertThat(own.get(own.size() - 1).get("parent_pid").getAsLong())
          .isEqualTo(ProcessHandle.current().pid());
    }
  }

  @Test
  void recordsWhatATableCanBeFedWithAgain() throws Exception {
    Path file = directory.resolve("recording");
    long pid;
    try (Program tail = Program.start(directory, Map.of(), "tail", "--record", file.toString())) {
      untilItPrints(tail, "exit 0");
      Process process = new ProcessBuilder("sh", "-c", "sleep 0.1; exit 42").start();
      pid = process.pid();
      process.waitFor();
      tail.awaitOut("exit 42");
      tail.signal("TERM");
      assertThat(tail.await().exitCode()).isZero();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Recording recording;
    try (Reader text = Files.newBufferedReader(file)) {
      recording = Recording.read(text);
    }
    List<Integer> exitCodes = new ArrayList<>();
    LifecycleListener listener =
        new LifecycleListener() {
          @Override
          public void ended(TrackedProcess process) {
            if (process.key().pid() == pid && process.status() != null) {
              exitCodes.add(process.status().exitCode());
            }
          }
        };
    ProcessTable table =
        new ProcessTable(
            TableOptions.of(TableOptions.Scope.NODE),
            recording,
            recording::clock,
            List.of(listener));
    table.populate(recording.events().get(0).timeNanos());
    recording.events().forEach(table::apply);
    table.settleAll();

    assertThat(exitCodes).containsExactly(42);
    assertThat(table.find((int) ProcessHandle.current().pid())).isNotNull();
  }

  @Test
  void aRecordingThatCannotBeWrittenStopsTheStart() throws Exception {
    Program.Result result = Program.run(directory, "tail", "--record", directory.toString());

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("--record: " + directory + " cannot be written");
  }

  @Test
  void endsAfterSoManyEvents() throws Exception {
    try (Program tail =
        Program.start(directory, Map.of(), "tail", "--events", "exit", "--count", "3")) {
      untilItPrints(tail, "exit 1");
      Program.Result result = tail.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.out().lines()).hasSize(3).allMatch(line -> line.contains(" exit "));
    }
  }

  @Test
  void endsWhenItsReaderGoesAwayEvenIfNothingHappens() throws Exception {
    String tail = String.join(" ", Program.commandLine("tail", "--events", "ptrace"));
    List<String> command = List.of("bash", "-c", tail + " | true; exit ${PIPESTATUS[0]}");
    try (Program program = Program.startCommand(directory, Map.of(), command)) {
      Program.Result result = program.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.err()).isEmpty();
    }
  }

  /** Runs processes until the program has told of one: nobody tells when it has begun to listen. */
  private static void untilItPrints(Program tail, String script) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (tail.out().isEmpty()) {
      assertThat(System.nanoTime()).as("bound of the wait").isLessThan(deadline);
      new ProcessBuilder("sh", "-c", script).start().waitFor();
    }
  }
}
