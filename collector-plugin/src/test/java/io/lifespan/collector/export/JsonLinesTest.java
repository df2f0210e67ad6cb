package io.lifespan.collector.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.util.JsonFormat;
import io.lifespan.collector.config.SettingsException;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.TracesData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir Path dir;

  @Test
  void eachLineIsARequestInOtlpJson() throws Exception {
    Path made = dir.resolve("made/by/itself");
    DeliveryReport report = write(made, 1_300);

    assertThat(report.complete()).isTrue();
    assertThat(report.destinations().get(0).delivered()).isEqualTo(1_300);
    List<String> lines = Files.readAllLines(made.resolve("traces.jsonl"));
    assertThat(lines).hasSizeGreaterThan(1);
    List<Span> spans = parse(lines);
    assertThat(spans).hasSize(1_300);
    assertThat(spans.get(0).getName()).isEqualTo("span 1");
    assertThat(spans.get(0).getStartTimeUnixNano()).isEqualTo(1_700_000_000_000_000_001L);
    assertThat(lines.get(0)).contains("\"traceId\":\"00000000000000010000000000000001\"");
  }

  @Test
  void whatIsThereAlreadyStays() throws Exception {
    write(dir, 1);
    write(dir, 2);

    assertThat(parse(Files.readAllLines(dir.resolve("traces.jsonl"))))
        .extracting(Span::getName)
        .containsExactly("span 1", "span 1", "span 2");
  }

  @Test
  void theDirectoryCombinesWithAnEndpointThatHangs() throws Exception {
    try (var silent = new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress());
        Telemetry telemetry =
            Feed.telemetry(
                Map.of(
                    "lifespan.otlp.dir",
                    dir.toString(),
                    "otel.exporter.otlp.endpoint",
                    "http://127.0.0.1:" + silent.getLocalPort()))) {
      Feed.spans(telemetry, 700);
      DeliveryReport report = telemetry.shutdown(Duration.ofSeconds(1));

      assertThat(report.destinations())
          .filteredOn(destination -> destination.items().equals("spans"))
          .extracting(DeliveryReport.Destination::missing)
          .containsExactly(700L, 0L);
    }
    assertThat(parse(Files.readAllLines(dir.resolve("traces.jsonl")))).hasSize(700);
  }

  @Test
  void aDirectoryThatCannotBeMadeStopsTheStart() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));

    SettingsException refused =
        catchThrowableOfType(
            SettingsException.class,
            () -> Feed.telemetry(Map.of("lifespan.otlp.dir", file + "/x")));

    assertThat(refused.errors())
        .singleElement()
        .asString()
        .startsWith("lifespan.otlp.dir: cannot write to \"" + file + "/x\"")
        .endsWith("name a directory that can be written");
  }

  @Test
  void aFailedWriteIsCountedAndToldOnce() throws Exception {
    Path link = Files.createSymbolicLink(dir.resolve("traces.jsonl"), Path.of("/dev/full"));
    List<String> notices = new ArrayList<>();
    DeliveryReport report;
    try (Telemetry telemetry =
        Telemetry.open(Feed.settings(Map.of("lifespan.otlp.dir", dir.toString())), notices::add)) {
      Feed.spans(telemetry, 1_300);
      report = telemetry.shutdown(BOUND);
    } finally {
      Files.delete(link);
    }

    assertThat(report.problems())
        .containsExactly(
            "1300 of 1300 spans not delivered to JSON lines in "
                + dir
                + ": No space left on device; make room or name another directory with --otlp-dir");
    assertThat(notices).singleElement().asString().contains("No space left on device");
  }

  @Test
  void spansThatAreNotSampledAreNotWritten() throws Exception {
    try (Telemetry telemetry = Feed.telemetry(Map.of("lifespan.otlp.dir", dir.toString()))) {
      telemetry.spans().onEnd(ReadySpan.of(1, TraceFlags.getDefault()));
      DeliveryReport report = telemetry.shutdown(BOUND);

      assertThat(report.destinations().get(0).accepted()).isZero();
    }
    assertThat(dir.resolve("traces.jsonl")).isEmptyFile();
  }

  @Test
  void namesWithQuotesControlCharactersAndOtherScriptsSurvive() throws Exception {
    String name = "a\"b\\c\n\u0001\u2028 \u03b1\ud83d\ude00";
    try (Lines lines = new Lines(dir)) {
      lines.write(name);
    }

    assertThat(parse(Files.readAllLines(dir.resolve("traces.jsonl"))))
        .singleElement()
        .satisfies(span -> assertThat(span.getName()).isEqualTo(name));
  }

  private record Lines(SpanExporter exporter) implements AutoCloseable {
    Lines(Path dir) throws IOException {
      this(JsonLines.spans(dir));
    }

    void write(String name) {
      SpanData data = ReadySpan.number(1).data();
      assertThat(
              exporter
                  .export(
                      List.of(
                          new io.opentelemetry.sdk.trace.data.DelegatingSpanData(data) {
                            @Override
                            public String getName() {
                              return name;
                            }
                          }))
                  .isSuccess())
          .isTrue();
    }

    @Override
    public void close() {
      exporter.shutdown();
    }
  }

  private static DeliveryReport write(Path dir, int count) throws SettingsException {
    try (Telemetry telemetry = Feed.telemetry(Map.of("lifespan.otlp.dir", dir.toString()))) {
      Feed.spans(telemetry, count);
      return telemetry.shutdown(BOUND);
    }
  }

  /**
   * Strict: an unknown field is an error. Ids are hexadecimal in OTLP JSON, which plain protobuf
   * JSON does not know.
   */
  private static List<Span> parse(List<String> lines) throws IOException {
    List<Span> spans = new ArrayList<>();
    for (String line : lines) {
      TracesData.Builder traces = TracesData.newBuilder();
      JsonFormat.parser().merge(line, traces);
      traces
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource
                      .getScopeSpansList()
                      .forEach(scope -> spans.addAll(scope.getSpansList())));
    }
    return spans;
  }
}
