package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.lifespan.collector.testing.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lifespan agent}, the real program on the running kernel. */
class AgentIT {

  private static final String NO_ENDPOINT = "otel.traces.exporter=none";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void exportsEveryProcessUntilStopped(String signal) throws Exception {
    try (Program agent =
        Program.start(
            directory, Map.of(), "agent", "--otlp-dir", directory.toString(), "-D", NO_ENDPOINT)) {
      agent.awaitErr("connector (");
      Process process = new ProcessBuilder("sh", "-c", "sleep 0.1; exit 42").start();
      assertThat(process.waitFor()).isEqualTo(42);
      agent.signal(signal);
      Program.Result result = agent.await();

      assertThat(result.exitCode()).isZero();
      assertThat(result.err())
          .hasLineCount(2)
          .startsWith("lifespan: watching ")
          .contains("fork,exec,uid")
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
  void theDoctorSaysThatItWorksHere() throws Exception {
    Program.Result result = Program.run(directory, "doctor");

    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains("kernel:     Linux ")
        .contains("connector:  works")
        .contains("exporter:   OTLP/gRPC http://localhost:4317");
  }
}
