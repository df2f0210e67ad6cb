package io.lifespan.collector.testing;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A real OTLP receiver that nobody here wrote ({@code @elastic/mockotlpserver}), on free ports of
 * 127.0.0.1, in a process that ends with this one. It takes no gzip over HTTP.
 */
public final class MockOtlpServer implements AutoCloseable {
  private final Process process;
  private final String httpEndpoint;
  private final String grpcEndpoint;
  private final List<JsonObject> requests = new ArrayList<>();
  private final List<ReceivedSpan> spans = new ArrayList<>();
  private final List<JsonObject> headers = new ArrayList<>();
  private IllegalStateException broken;

  private MockOtlpServer(Process process, BufferedReader lines) throws IOException {
    this.process = process;
    String first = lines.readLine();
    if (first == null) {
      throw new IOException("the receiver ended at once");
    }
    JsonObject endpoints = JsonParser.parseString(first).getAsJsonObject();
    httpEndpoint = endpoints.get("http").getAsString();
    grpcEndpoint = endpoints.get("grpc").getAsString();
    Thread reader = new Thread(() -> lines.lines().forEach(this::take), "receiver-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a receiver; installs it first if it is not there. */
  public static MockOtlpServer start() throws IOException, InterruptedException {
    Path root = projectRoot();
    Process install =
        new ProcessBuilder("bash", "-p", root.resolve("scripts/receivers").toString())
            .inheritIO()
            .start();
    if (install.waitFor() != 0) {
      throw new IOException("the receiver could not be installed: see above");
    }
    Process process =
        new ProcessBuilder(
                "node",
                root.resolve("checks/receivers/receiver.js").toString(),
                "--headers",
                "--until-eof")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      return new MockOtlpServer(process, process.inputReader());
    } catch (IOException | RuntimeException failed) {
      process.destroy();
      throw failed;
    }
  }

  /** The base URL for OTLP over gRPC. */
  public String grpcEndpoint() {
    return grpcEndpoint;
  }

  /** The base URL for OTLP over HTTP. */
  public String httpEndpoint() {
    return httpEndpoint;
  }

  /** Waits for at least so many spans; gives all that came up to then. */
  public List<ReceivedSpan> awaitSpans(int atLeast, Duration bound) throws InterruptedException {
    return awaitSpans(received -> received.size() >= atLeast, bound);
  }

  /**
   * Waits for the spans to be as wanted; gives what came up to then, or what there was at the end
   * of the bound.
   */
  public synchronized List<ReceivedSpan> awaitSpans(
      Predicate<List<ReceivedSpan>> wanted, Duration bound) throws InterruptedException {
    long end = System.nanoTime() + bound.toNanos();
    while (!wanted.test(List.copyOf(spans))) {
      if (broken != null) {
        throw broken;
      }
      long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (millis <= 0) {
        break;
      }
      wait(millis);
    }
    return List.copyOf(spans);
  }

  /**
   * Waits for an item (a span, a log record) with an attribute; fails if none comes.
   *
   * @param resources {@code resourceSpans} ...
   * @param items {@code spans} ...
   */
  public JsonObject await(
      String resources, String items, String attribute, String value, Duration bound)
      throws InterruptedException {
    return awaitItem(resources, items, item -> has(item, attribute, value), bound);
  }

  /** Waits for a metric with a point that has an attribute; fails if none comes. */
  public JsonObject awaitMetric(String name, String attribute, String value, Duration bound)
      throws InterruptedException {
    return awaitItem(
        "resourceMetrics",
        "metrics",
        metric ->
            metric.get("name").getAsString().equals(name)
                && metric.entrySet().stream()
                    .filter(entry -> entry.getValue().isJsonObject())
                    .flatMap(
                        entry -> objects(entry.getValue().getAsJsonObject(), "dataPoints").stream())
                    .anyMatch(point -> has(point, attribute, value)),
        bound);
  }

  private synchronized JsonObject awaitItem(
      String resources, String items, Predicate<JsonObject> wanted, Duration bound)
      throws InterruptedException {
    long end = System.nanoTime() + bound.toNanos();
    int looked = 0;
    while (true) {
      if (broken != null) {
        throw broken;
      }
      for (; looked < requests.size(); looked++) {
        for (JsonObject resource : objects(requests.get(looked), resources)) {
          for (JsonObject scope : objects(resource, resources.replace("resource", "scope"))) {
            for (JsonObject item : objects(scope, items)) {
              if (wanted.test(item)) {
                return item;
              }
            }
          }
        }
      }
      long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (millis <= 0) {
        throw new AssertionError("did not come within " + bound + ": one of " + items);
      }
      wait(millis);
    }
  }

  private static boolean has(JsonObject item, String attribute, String value) {
    JsonObject attributes = item.getAsJsonObject("attributes");
    return attributes != null
        && attributes.has(attribute)
        && attributes.get(attribute).getAsString().equals(value);
  }

  private static List<JsonObject> objects(JsonObject of, String name) {
    List<JsonObject> objects = new ArrayList<>();
    if (of.has(name)) {
      of.getAsJsonArray(name).forEach(element -> objects.add(element.getAsJsonObject()));
    }
    return objects;
  }

  /** Every request up to now: OTLP JSON, but attributes as one object. */
  public synchronized List<JsonObject> requests() {
    return List.copyOf(requests);
  }

  /** The headers (or the metadata) of every request up to now; names in lower case. */
  public synchronized List<JsonObject> headers() {
    return List.copyOf(headers);
  }

  /** Ends the receiver and waits until it has. */
  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void take(String line) {
    try {
      keep(JsonParser.parseString(line).getAsJsonObject());
    } catch (RuntimeException notUnderstood) {
      broken = new IllegalStateException("the receiver printed: " + line, notUnderstood);
    }
    notifyAll();
  }

  private void keep(JsonObject object) {
    if (object.has("headers")) {
      headers.add(object.getAsJsonObject("headers"));
    } else {
      requests.add(object);
      spans.addAll(ReceivedSpan.of(object));
    }
  }

  private static Path projectRoot() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("checks/receivers/receiver.js"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new UncheckedIOException(new IOException("checks/receivers is nowhere above"));
      }
    }
    return directory;
  }
}
