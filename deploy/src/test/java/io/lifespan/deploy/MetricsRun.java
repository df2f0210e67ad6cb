package io.lifespan.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The real agent watching this machine while processes come, go and fail, and hang in a mount that
 * does not answer; its metrics in a real VictoriaMetrics, asked in PromQL.
 */
final class MetricsRun implements AutoCloseable {

  /** Far more than anything takes on a loaded machine. */
  private static final Duration BOUND = Duration.ofMinutes(2);

  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Path directory;
  private final List<Process> processes = new ArrayList<>();
  private final String base;
  private Process mount;

  private MetricsRun(Path directory, int port) {
    this.directory = directory;
    this.base = "http://127.0.0.1:" + port;
  }

  /** Starts everything; returns when metrics have come several times. */
  static MetricsRun start(Path directory) throws Exception {
    MetricsRun run = new MetricsRun(directory, freePort());
    try {
      run.begin();
      return run;
    } catch (Exception | AssertionError failed) {
      run.close();
      throw failed;
    }
  }

  /** A tool of scripts/metrics-tools. */
  static Path tool(String name) throws IOException, InterruptedException {
    Process install =
        new ProcessBuilder("bash", "-p", ROOT.resolve("scripts/metrics-tools").toString())
            .inheritIO()
            .start();
    if (install.waitFor() != 0) {
      throw new IOException("cannot be had: see above");
    }
    return ROOT.resolve("checks/metrics/usr/bin").resolve(name);
  }

  /** What a query gives now. */
  JsonNode query(String expression) throws IOException, InterruptedException {
    JsonNode answer = get("/api/v1/query?query=" + encode(expression));
    if (!answer.path("status").asText().equals("success")) {
      throw new IOException(expression + ": " + answer.path("error").asText());
    }
    return answer.at("/data/result");
  }

  /** The names of all metrics that came. */
  Set<String> names() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    get("/api/v1/label/__name__/values").path("data").forEach(name -> names.add(name.asText()));
    return names;
  }

  @Override
  public void close() {
    if (mount != null) {
      mount.destroy();
      mount.onExit().join();
    }
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).destroy();
      processes.get(i).onExit().join();
    }
  }

  private void begin() throws Exception {
    start(
        Map.of(),
        tool("victoria-metrics").toString(),
        "-httpListenAddr=" + base.substring("http://".length()),
        "-storageDataPath=" + directory.resolve("metrics"),
        "-opentelemetry.usePrometheusNaming",
        "-search.latencyOffset=0s",
        "-search.disableCache");
    await("VictoriaMetrics answers", () -> names().isEmpty());
    Process receiver =
        start(Map.of(), "node", ROOT.resolve("checks/receivers/receiver.js").toString());
    await("the receiver starts", () -> Files.size(output(receiver)) > 0);
    JsonNode endpoints = new ObjectMapper().readTree(Files.readAllLines(output(receiver)).get(0));
    mountSlowFileSystem();
    Process agent =
        start(
            Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                endpoints.path("grpc").asText(),
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
                base + "/opentelemetry/v1/metrics",
                "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
                "http/protobuf",
                "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
                "explicit_bucket_histogram",
                "LIFESPAN_BLOCKING_STUCK_AFTER",
                "500ms",
                "LIFESPAN_BLOCKING_PROBE_INTERVAL",
                "1s",
                "LIFESPAN_BLOCKING_SAMPLE_INTERVAL",
                "200ms",
                "LIFESPAN_BLOCKING_CPU_PERCENT",
                "20",
                "OTEL_METRIC_EXPORT_INTERVAL",
                "1000",
                "OTEL_BSP_SCHEDULE_DELAY",
                "500"),
            "nsenter",
            "-t",
            Long.toString(mount.pid()),
            "-m",
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-jar",
            ROOT.resolve("collector-plugin/target/lifespan.jar").toString(),
            "agent");
    await(
        "the agent watches", () -> Files.readString(output(agent)).contains("lifespan: watching"));
    await(
        "metrics of failures and of what hung have come several times",
        () -> {
          work();
          hang(Duration.ofMillis(800));
          return value("count_over_time(lifespan_process_coredumps_total[1m])") >= 5
              && value("sum(lifespan_blocked_duration_seconds_count)") >= 3;
        });
    tell("hang");
    touch();
    await(
        "a thread and its mount are stuck",
        () ->
            value("sum(lifespan_blocked_tasks{process_executable_name=\"stat\"})") > 0
                && value("sum(lifespan_mount_status{lifespan_mount_state=\"stuck\"})") > 0);
  }

  private double value(String expression) throws IOException, InterruptedException {
    return query(expression).at("/0/value/1").asDouble();
  }

  private void mountSlowFileSystem() throws Exception {
    Path program = directory.resolve("slowfs");
    Process compiler =
        start(
            Map.of(),
            "gcc",
            "-O1",
            "-o",
            program.toString(),
            ROOT.resolve("event-sources/src/test/c/slowfs.c").toString());
    await("slowfs is compiled", () -> !compiler.isAlive());
    mount =
        start(
            Map.of(),
            program.toString(),
            Files.createDirectory(directory.resolve("mount")).toString());
    await("it is mounted", () -> Files.readString(output(mount)).startsWith("ok"));
  }

  /** Something hangs in the mount for so long, then runs on. */
  private void hang(Duration time) throws IOException, InterruptedException {
    tell("hang");
    Process victim = touch();
    Thread.sleep(time.toMillis());
    tell("go");
    victim.onExit().join();
  }

  private void tell(String command) throws IOException {
    mount.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
    mount.getOutputStream().flush();
  }

  private Process touch() throws IOException {
    return start(
        Map.of(),
        "nsenter",
        "-t",
        Long.toString(mount.pid()),
        "-m",
        "stat",
        directory.resolve("mount/file").toString());
  }

  /** Ends well, with an exit code, by a signal with a core. */
  private void work() throws IOException, InterruptedException {
    Process shell =
        new ProcessBuilder(
                "bash", "-c", "/bin/true; (exit 3); ulimit -c unlimited; sh -c 'kill -SEGV $$'")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("work").toFile())
            .start();
    shell.waitFor();
    Thread.sleep(200);
  }

  private Process start(Map<String, String> variables, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("OTEL_"));
    builder.environment().putAll(variables);
    Path file = directory.resolve("output" + processes.size());
    Process process = builder.redirectOutput(file.toFile()).start();
    processes.add(process);
    return process;
  }

  private Path output(Process process) {
    return directory.resolve("output" + processes.indexOf(process));
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(String what, Condition condition) throws Exception {
    long end = System.nanoTime() + BOUND.toNanos();
    Exception last = null;
    while (System.nanoTime() - end < 0) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (IOException notYet) {
        last = notYet;
      }
      Thread.sleep(50);
    }
    StringBuilder said = new StringBuilder();
    for (Process process : processes) {
      said.append(Files.readString(output(process)));
    }
    throw new AssertionError("waited in vain until " + what + "; they said: " + said, last);
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path)).timeout(BOUND).GET().build();
    return new ObjectMapper()
        .readTree(
            CLIENT
                .send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                .body());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
