package io.lifespan.collector.agentextension;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.MockOtlpServer;
import io.lifespan.collector.testing.Program;
import io.lifespan.collector.testing.ReceivedSpan;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The packaged program as an extension of the real OpenTelemetry Java agent, around a real HTTP
 * service that runs commands in requests; a real receiver takes what the agent sends.
 */
class LifespanExtensionIT {

  private static final String ENABLED = "-Dotel.lifespan.enabled=true";
  private static final String WATCHING = "lifespan: watching what this service starts by ";
  private static MockOtlpServer receiver;

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir Path directory;

  @BeforeAll
  static void startReceiver() throws Exception {
    receiver = MockOtlpServer.start();
  }

  @AfterAll
  static void stopReceiver() {
    receiver.close();
  }

  @Test
  void requestShellAndItsChildrenAreOneTraceAlsoWhenTheServiceEndsAtOnce() throws Exception {
    try (Program service = start("whole", ENABLED)) {
      service.awaitErr(WATCHING);
      get(service, "/shell", "/bin/sleep 0.1; /bin/true");
      get(service, "/exec", "/bin/sleep 0.1; /bin/false");
      List<String> threads = get(service, "/threads", "").lines().toList();
      service.signal("TERM");
      service.await();

      List<ReceivedSpan> spans = spans("whole", 9);
      assertChain(spans, "GET /shell", "sleep", "true");
      assertChain(spans, "GET /exec", "sleep", "false");
      assertThat(spans).hasSize(9);
      assertThat(threads).anyMatch(name -> name.startsWith("lifespan-"));
      assertThat(threads)
          .filteredOn(name -> name.startsWith("lifespan-"))
          .allMatch(name -> name.endsWith(" daemon"));
      assertThat(service.err()).containsOnlyOnce("lifespan: ").doesNotContain("ultiple");
    }
  }

  @Test
  void isOffUnlessItIsTurnedOn() throws Exception {
    try (Program service = start("off")) {
      assertThat(get(service, "/shell", "env")).contains("PATH=").doesNotContain("TRACEPARENT");
      String threads = get(service, "/threads", "");
      service.signal("TERM");
      service.await();

      assertThat(threads).doesNotContain("lifespan");
      assertThat(spans("off", 2))
          .extracting(ReceivedSpan::name)
          .containsExactlyInAnyOrder("GET /shell", "GET /threads");
      assertThat(service.err()).doesNotContain("lifespan");
    }
  }

  @Test
  void withoutPropagationAChildBeginsATraceOfItsOwn() throws Exception {
    try (Program service = start("apart", ENABLED, "-Dotel.lifespan.propagate=false")) {
      service.awaitErr(WATCHING);
      assertThat(get(service, "/shell", "env; /bin/sleep 0.1")).doesNotContain("TRACEPARENT");
      service.signal("TERM");
      service.await();

      List<ReceivedSpan> spans = spans("apart", 4);
      ReceivedSpan shell = named(spans, "sh");
      assertThat(shell.parentSpanId()).isEmpty();
      assertThat(shell.traceId()).isNotEqualTo(named(spans, "GET /shell").traceId());
      assertThat(named(spans, "env").parentSpanId()).isEqualTo(shell.spanId());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ptrace, ptrace: follows only a command that is started by it",
    "nothing, '\"nothing\" is not a source'"
  })
  void whereNothingCanBeWatchedOneLineSaysSoAndTheServiceWorks(String sources, String cause)
      throws Exception {
    try (Program service = start("without", ENABLED, "-Dlifespan.sources=" + sources)) {
      service.awaitErr("lifespan: not watching what this service starts: ");
      assertThat(get(service, "/shell", "echo works")).isEqualTo("works\n");
      service.signal("TERM");
      service.await();

      assertThat(service.err().lines().filter(line -> line.contains("lifespan: ")))
          .singleElement()
          .asString()
          .contains(cause);
    }
  }

  private static void assertChain(List<ReceivedSpan> spans, String request, String... children) {
    ReceivedSpan top = named(spans, request);
    List<ReceivedSpan> below = below(spans, top);
    assertThat(below).extracting(ReceivedSpan::name).containsExactly("sh");
    ReceivedSpan shell = below.get(0);
    assertThat(below(spans, shell))
        .extracting(ReceivedSpan::name)
        .containsExactlyInAnyOrder(children);
    assertThat(shell.resource())
        .containsEntry("service.instance.id", top.resource().get("service.instance.id"))
        .containsEntry("telemetry.distro.name", "opentelemetry-java-instrumentation")
        .doesNotContainKey("process.pid");
    assertThat(shell.attributes()).containsKey("process.pid");
  }

  private static List<ReceivedSpan> below(List<ReceivedSpan> spans, ReceivedSpan parent) {
    return spans.stream()
        .filter(
            span ->
                span.traceId().equals(parent.traceId())
                    && span.parentSpanId().equals(parent.spanId()))
        .toList();
  }

  private static ReceivedSpan named(List<ReceivedSpan> spans, String name) {
    return spans.stream()
        .filter(span -> span.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + spans));
  }

  /** What has come of one service, once it is so many. */
  private static List<ReceivedSpan> spans(String service, int count) throws InterruptedException {
    return of(service, receiver.awaitSpans(all -> of(service, all).size() >= count, Program.BOUND));
  }

  private static List<ReceivedSpan> of(String service, List<ReceivedSpan> spans) {
    return spans.stream()
        .filter(span -> service.equals(span.resource().get("service.name")))
        .toList();
  }

  private Program start(String name, String... options) throws Exception {
    Path target = Program.jar().getParent();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-javaagent:" + target.resolve("java-agent/opentelemetry-javaagent.jar"));
    command.add("-Dotel.javaagent.extensions=" + Program.jar());
    command.add("-Dotel.service.name=" + name);
    command.add("-Dotel.exporter.otlp.endpoint=" + receiver.httpEndpoint());
    command.add("-Dotel.metrics.exporter=none");
    command.add("-Dotel.logs.exporter=none");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", target.resolve("test-classes").toString()));
    command.add(ShellingService.class.getName());
    Program service = Program.startCommand(directory, Map.of(), command);
    service.awaitOut("\n");
    return service;
  }

  private String get(Program service, String path, String query)
      throws IOException, InterruptedException {
    String port =
        Stream.of(service.out().split("\\s+", -1))
            .dropWhile(word -> !word.equals("port"))
            .skip(1)
            .findFirst()
            .orElseThrow();
    URI uri =
        URI.create(
            "http://127.0.0.1:"
                + port
                + path
                + "?"
                + URLEncoder.encode(query, StandardCharsets.UTF_8).replace("+", "%20"));
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }
}
