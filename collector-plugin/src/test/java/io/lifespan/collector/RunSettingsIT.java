package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.lifespan.collector.testing.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What settings do to a command that is run, by the real program. */
class RunSettingsIT {

  @TempDir Path directory;

  @Test
  void whatTheUsersOwnPatternMatchesIsMaskedInTheTreeAndInTheTrace() throws Exception {
    Program.Result result =
        Program.run(
            directory,
            "run",
            "--otlp-dir",
            directory.toString(),
            "-D",
            "lifespan.redaction.patterns=corp-[0-9]+ badge=(\\d+)",
            "-D",
            "lifespan.redaction.mask=GONE",
            "-D",
            "lifespan.redaction.allow=token-style",
            "--",
            "echo",
            "corp-1234",
            "badge=77",
            "--token-style=long",
            "--password=s3cret");

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEqualTo("corp-1234 badge=77 --token-style=long --password=s3cret\n");
    assertThat(result.err())
        .contains("echo GONE badge=GONE --token-style=long --password=GONE")
        .doesNotContain("corp-1234", "s3cret");
    assertThat(Program.attribute(onlySpan(), "process.command_args"))
        .contains("badge=GONE", "--token-style=long")
        .doesNotContain("corp-1234", "s3cret");
  }

  @Test
  void anExporterMeantForTheCommandDoesNotStopIt() throws Exception {
    Program.Result result =
        Program.run(
            directory,
            Map.of("OTEL_TRACES_EXPORTER", "console", "OTEL_TRACES_SAMPLER", "xray"),
            "run",
            "--no-tree",
            "--",
            "sh",
            "-c",
            "echo $OTEL_TRACES_EXPORTER; exit 3");

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.out()).isEqualTo("console\n");
    assertThat(result.err())
        .contains("OTEL_TRACES_EXPORTER: \"console\" is not an exporter that is built in here");
  }

  @Test
  void aTraceThatIsNotSampledIsHandedOnAsSuchAndNotExported() throws Exception {
    Program.Result result =
        Program.run(
            directory,
            "run",
            "--no-tree",
            "--otlp-dir",
            directory.toString(),
            "-D",
            "otel.traces.sampler=always_off",
            "--",
            "sh",
            "-c",
            "echo $TRACEPARENT");

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00\n");
    assertThat(result.err()).contains("this trace is not sampled (otel.traces.sampler)");
    assertThat(Files.readString(directory.resolve("traces.jsonl"))).isEmpty();
  }

  @Test
  void theOwnerOfAProcessIsNamedAndTheBootOfItsHost() throws Exception {
    Program.run(directory, "run", "--no-tree", "--otlp-dir", directory.toString(), "--", "true");

    assertThat(Program.attribute(onlySpan(), "process.owner"))
        .isEqualTo(System.getProperty("user.name"));
    assertThat(Files.readString(directory.resolve("traces.jsonl")))
        .contains("lifespan.host.boot_id")
        .contains(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
  }

  private JsonObject onlySpan() throws Exception {
    List<JsonObject> spans = Program.spans(directory);
    assertThat(spans).hasSize(1);
    return spans.get(0);
  }
}
