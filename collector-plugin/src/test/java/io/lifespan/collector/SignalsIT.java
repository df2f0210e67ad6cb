package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.lifespan.collector.testing.DocumentedNames;
import io.lifespan.collector.testing.MockOtlpServer;
import io.lifespan.collector.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans, metrics and log events of the real program, at a receiver that nobody here wrote. */
class SignalsIT {

  private static final Map<String, String> TYPES =
      Map.of(
          "intValue", "int",
          "doubleValue", "double",
          "stringValue", "string",
          "boolValue", "boolean");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void anAgentsThreeSignalsArriveAndLeadToEachOther(String protocol) throws Exception {
    try (MockOtlpServer receiver = MockOtlpServer.start();
        Program agent = Program.start(directory, endpoint(receiver, protocol), "agent")) {
      agent.awaitErr("spans, metrics and logs to OTLP/");
      Process process = new ProcessBuilder("sh", "-c", "sleep 0.1; exit 42").start();
      assertThat(process.waitFor()).isEqualTo(42);
      String pid = Long.toString(process.pid());
      JsonObject span = receiver.await("resourceSpans", "spans", "process.pid", pid, Program.BOUND);
      JsonObject event =
          receiver.await("resourceLogs", "logRecords", "process.pid", pid, Program.BOUND);
      receiver.awaitMetric("lifespan.process.exits", "error.type", "42", Program.BOUND);
      receiver.awaitMetric("lifespan.process.duration", "error.type", "42", Program.BOUND);
      receiver.awaitMetric("system.process.count", "process.state", "sleeping", Program.BOUND);
      agent.signal("TERM");
      Program.Result result = agent.await();

      assertThat(result.exitCode()).isZero();
      assertThat(event.get("body").getAsString()).matches("sh exited with code 42 after .* s");
      assertThat(event.get("severityText").getAsString()).isEqualTo("WARN");
      assertThat(event.get("traceId")).isEqualTo(span.get("traceId"));
      assertThat(event.get("spanId")).isEqualTo(span.get("spanId"));
    }
  }

  @Test
  void whatIsExportedIsWhatTheDocumentSaysAndNothingElse() throws Exception {
    DocumentedNames documented = DocumentedNames.read();
    try (Program agent =
        Program.start(
            directory,
            Map.of("OTEL_SDK_DISABLED", "true", "OTEL_METRIC_EXPORT_INTERVAL", "500"),
            "agent",
            "--otlp-dir",
            directory.toString(),
            "-D",
            "lifespan.arguments=redacted",
            "-D",
            "lifespan.logs.events=exec,exit,failed_exit,coredump,credentials,start,loss")) {
      agent.awaitErr("lifespan: watching ");
      run("sh", "-c", "true; exit 3");
      run("sh", "-c", "kill -KILL $$");
      run("perl", "-e", "$0 = 'renamed'; $< = 65534; exit 0");
      agent.awaitUntil("metrics come", () -> lines("metrics.jsonl") > 2);
      agent.signal("TERM");
      assertThat(agent.await().exitCode()).isZero();
    }

    Map<String, String> attributes = new TreeMap<>();
    Set<String> metrics = metrics(documented, attributes);
    Set<String> events = events(attributes);
    spans(attributes);

    assertThat(metrics)
        .contains(
            "lifespan.process.duration",
            "lifespan.process.exits",
            "lifespan.process.forks",
            "lifespan.process.execs",
            "lifespan.process.alive",
            "lifespan.process.cpu.time",
            "system.process.created",
            "system.process.count",
            "process.cpu.time",
            "process.memory.usage",
            "process.thread.count",
            "process.uptime",
            "lifespan.events.received",
            "lifespan.events.lost",
            "lifespan.events.malformed",
            "lifespan.queue.size",
            "lifespan.mount.status",
            "lifespan.mount.state.age",
            "lifespan.mount.probe.duration",
            "lifespan.ledger.started",
            "otel.sdk.processor.span.queue.size");
    assertThat(events)
        .contains(
            "lifespan.process.exec",
            "lifespan.process.exit",
            "lifespan.process.start",
            "lifespan.process.credentials")
        .isSubsetOf(documented.logEvents());
    attributes.forEach(
        (name, type) ->
            assertThat(documented.attributes().get(name))
                .as("the type of " + name)
                .isEqualTo(type));
  }

  @Test
  void aCommandsMetricsAndLogEventsArriveWhileItRuns() throws Exception {
    Path end = directory.resolve("end");
    try (MockOtlpServer receiver = MockOtlpServer.start();
        Program command =
            Program.start(
                directory,
                endpoint(receiver, "grpc"),
                "run",
                "--",
                "sh",
                "-c",
                "(exit 7); until [ -e " + end + " ]; do sleep 0.1; done")) {
      JsonObject event =
          receiver.await("resourceLogs", "logRecords", "process.exit.code", "7", Program.BOUND);
      receiver.awaitMetric("lifespan.process.exits", "error.type", "7", Program.BOUND);
      Files.createFile(end);

      assertThat(command.await().exitCode()).isZero();
      assertThat(event.get("body").getAsString()).startsWith("sh exited with code 7");
      assertThat(receiver.requests().toString()).doesNotContain("system.process.c");
    }
  }

  @Test
  void aDeltaIsToldWhereOpenTelemetrysSettingSaysSo() throws Exception {
    Program.Result result =
        Program.run(
            directory,
            Map.of("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta"),
            "run",
            "--otlp-dir",
            directory.toString(),
            "--",
            "true");

    assertThat(result.exitCode()).isZero();
    assertThat(metricsOf("lifespan.process.exits"))
        .isNotEmpty()
        .allSatisfy(
            metric ->
                assertThat(metric.getAsJsonObject("sum").get("aggregationTemporality").getAsInt())
                    .isEqualTo(1));
    assertThat(metricsOf("lifespan.process.duration"))
        .allSatisfy(
            metric ->
                assertThat(
                        metric
                            .getAsJsonObject("exponentialHistogram")
                            .get("aggregationTemporality")
                            .getAsInt())
                    .isEqualTo(1));
  }

  private static Map<String, String> endpoint(MockOtlpServer receiver, String protocol) {
    Map<String, String> variables = new HashMap<>();
    variables.put("OTEL_EXPORTER_OTLP_PROTOCOL", protocol);
    variables.put(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        protocol.equals("grpc") ? receiver.grpcEndpoint() : receiver.httpEndpoint());
    variables.put("OTEL_METRIC_EXPORT_INTERVAL", "1000");
    return variables;
  }

  private static void run(String... command) throws Exception {
    new ProcessBuilder(command).start().waitFor();
  }

  private int lines(String file) {
    try {
      return Files.readAllLines(directory.resolve(file)).size();
    } catch (IOException notYet) {
      return 0;
    }
  }

  private List<JsonObject> metricsOf(String name) throws IOException {
    List<JsonObject> found = new ArrayList<>();
    for (JsonObject metric : items("metrics.jsonl", "resourceMetrics", "scopeMetrics", "metrics")) {
      if (metric.get("name").getAsString().equals(name)) {
        found.add(metric);
      }
    }
    return found;
  }

  /** The names of all metrics; checks those that are documented one by one. */
  private Set<String> metrics(DocumentedNames documented, Map<String, String> types)
      throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonObject metric : items("metrics.jsonl", "resourceMetrics", "scopeMetrics", "metrics")) {
      String name = metric.get("name").getAsString();
      names.add(name);
      if (name.startsWith("otel.sdk.")) {
        continue;
      }
      DocumentedNames.DocumentedMetric line = documented.metrics().get(name);
      assertThat(line).as(name + " is documented").isNotNull();
      assertThat(metric.get("unit").getAsString()).as("the unit of " + name).isEqualTo(line.unit());
      assertThat(kind(metric)).as("the kind of " + name).isEqualTo(line.kind());
      Map<String, String> ofPoints = new TreeMap<>();
      for (JsonElement point : data(metric).getAsJsonArray("dataPoints")) {
        addTypes(point.getAsJsonObject(), ofPoints);
      }
      assertThat(ofPoints.keySet()).as("attributes of " + name).isSubsetOf(line.attributes());
      types.putAll(ofPoints);
    }
    resources("metrics.jsonl", "resourceMetrics", types);
    return names;
  }

  private Set<String> events(Map<String, String> types) throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonObject event : items("logs.jsonl", "resourceLogs", "scopeLogs", "logRecords")) {
      names.add(event.get("eventName").getAsString());
      addTypes(event, types);
    }
    resources("logs.jsonl", "resourceLogs", types);
    return names;
  }

  private void spans(Map<String, String> types) throws IOException {
    for (JsonObject span : Program.spans(directory)) {
      addTypes(span, types);
      for (String part : List.of("events", "links")) {
        if (span.has(part)) {
          span.getAsJsonArray(part).forEach(each -> addTypes(each.getAsJsonObject(), types));
        }
      }
    }
    resources("traces.jsonl", "resourceSpans", types);
  }

  private static String kind(JsonObject metric) {
    if (metric.has("sum")) {
      JsonElement monotonic = metric.getAsJsonObject("sum").get("isMonotonic");
      return monotonic != null && monotonic.getAsBoolean() ? "Counter" : "UpDownCounter";
    }
    return metric.has("gauge") ? "Gauge" : "Histogram";
  }

  private static JsonObject data(JsonObject metric) {
    for (String kind : List.of("sum", "gauge", "exponentialHistogram", "histogram")) {
      if (metric.has(kind)) {
        return metric.getAsJsonObject(kind);
      }
    }
    throw new AssertionError("of no kind: " + metric);
  }

  private List<JsonObject> requests(String file) throws IOException {
    List<JsonObject> requests = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve(file))) {
      requests.add(JsonParser.parseString(line).getAsJsonObject());
    }
    return requests;
  }

  private List<JsonObject> items(String file, String resources, String scopes, String items)
      throws IOException {
    List<JsonObject> all = new ArrayList<>();
    for (JsonObject request : requests(file)) {
      for (JsonElement resource : request.getAsJsonArray(resources)) {
        for (JsonElement scope : resource.getAsJsonObject().getAsJsonArray(scopes)) {
          scope
              .getAsJsonObject()
              .getAsJsonArray(items)
              .forEach(item -> all.add(item.getAsJsonObject()));
        }
      }
    }
    return all;
  }

  private void resources(String file, String resources, Map<String, String> types)
      throws IOException {
    for (JsonObject request : requests(file)) {
      for (JsonElement resource : request.getAsJsonArray(resources)) {
        addTypes(resource.getAsJsonObject().getAsJsonObject("resource"), types);
      }
    }
  }

  private static void addTypes(JsonObject item, Map<String, String> types) {
    JsonArray attributes = item.getAsJsonArray("attributes");
    if (attributes != null) {
      for (JsonElement attribute : attributes) {
        JsonObject pair = attribute.getAsJsonObject();
        String type = pair.getAsJsonObject("value").keySet().iterator().next();
        types.put(pair.get("key").getAsString(), TYPES.getOrDefault(type, "string[]"));
      }
    }
  }
}
