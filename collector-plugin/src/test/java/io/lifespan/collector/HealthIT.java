package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.MockOtlpServer;
import io.lifespan.collector.testing.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code /healthz} and {@code /readyz} of the real program. */
class HealthIT {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path directory;
  private int port;

  @BeforeEach
  void choosePort() throws IOException {
    port = freePort();
  }

  @Test
  void saysThatItLivesAndIsReadyAndNothingElse() throws Exception {
    try (MockOtlpServer receiver = MockOtlpServer.start();
        Program agent = agent(receiver.httpEndpoint())) {
      assertThat(get(agent, "/readyz", answer -> true)).isEqualTo("200 ok\n");
      new ProcessBuilder("true").start().waitFor();
      receiver.awaitSpans(1, Program.BOUND);

      assertThat(get(agent, "/readyz", answer -> true)).isEqualTo("200 ok\n");
      assertThat(get(agent, "/healthz", answer -> true)).isEqualTo("200 ok\n");
      assertThat(get(agent, "/healthz/more", answer -> true))
          .isEqualTo("404 there are /healthz and /readyz\n");
      assertThat(ask("POST", "/healthz")).isEqualTo("405 only GET and HEAD\n");
      assertThat(ask("HEAD", "/healthz")).isEqualTo("200 ");
      agent.signal("TERM");

      assertThat(agent.await().exitCode()).isZero();
    }
  }

  @Test
  void isUnreadyWhileWhatItSendsDoesNotArriveButLives() throws Exception {
    int receiver = freePort();
    try (Program agent = agent("http://127.0.0.1:" + receiver)) {
      assertThat(get(agent, "/readyz", answer -> true)).isEqualTo("200 ok\n");
      new ProcessBuilder("true").start().waitFor();

      assertThat(get(agent, "/readyz", answer -> answer.startsWith("503")))
          .contains(" are not delivered to OTLP/HTTP http://127.0.0.1:" + receiver);
      assertThat(get(agent, "/healthz", answer -> true)).isEqualTo("200 ok\n");
    }
  }

  @Test
  void whoSendsHalfARequestHoldsUpNobody() throws Exception {
    List<Socket> halves = new ArrayList<>();
    try (Program agent = agent("http://127.0.0.1:" + freePort())) {
      get(agent, "/healthz", answer -> true);
      for (int i = 0; i < 4; i++) {
        Socket half = new Socket(InetAddress.getLoopbackAddress(), port);
        half.getOutputStream().write("GET /healthz HTT".getBytes(StandardCharsets.US_ASCII));
        halves.add(half);
      }

      assertThat(get(agent, "/healthz", answer -> true)).isEqualTo("200 ok\n");
    } finally {
      for (Socket half : halves) {
        half.close();
      }
    }
  }

  @Test
  void aPortThatIsTakenStopsTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      Program.Result result =
          Program.run(directory, "agent", "-D", "lifespan.health.port=" + taken.getLocalPort());

      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err())
          .contains("lifespan.health.port: cannot listen on 127.0.0.1 port " + port + ": ");
    }
  }

  @Test
  void isNotEvenLoadedWhenItIsOff() throws Exception {
    Path loaded = directory.resolve("classes");
    List<String> command = new ArrayList<>(Program.commandLine("agent"));
    command.add(1, "-Xlog:class+load:file=" + loaded);
    try (Program agent =
        Program.startCommand(directory, Map.of("OTEL_SDK_DISABLED", "true"), command)) {
      agent.awaitErr("lifespan: watching ");
      agent.signal("TERM");
      agent.await();
    }

    assertThat(Files.readString(loaded))
        .contains("io.lifespan.collector.AgentCommand ")
        .doesNotContain("httpserver", "HealthServer");
  }

  private Program agent(String endpoint) throws IOException {
    return Program.start(
        directory,
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            endpoint,
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "http/protobuf",
            "OTEL_JAVA_EXPORTER_OTLP_RETRY_DISABLED",
            "true",
            "OTEL_BSP_SCHEDULE_DELAY",
            "200",
            "OTEL_BLRP_SCHEDULE_DELAY",
            "200",
            "LIFESPAN_HEALTH_PORT",
            Integer.toString(port)),
        "agent");
  }

  /** Asks until there is an answer as wanted: status and text. */
  private String get(Program agent, String path, Predicate<String> wanted) throws Exception {
    List<String> last = new ArrayList<>();
    agent.awaitUntil(
        path + " is as wanted",
        () -> {
          try {
            last.add(ask("GET", path));
          } catch (IOException notYet) {
            return false;
          }
          return wanted.test(last.get(last.size() - 1));
        });
    return last.get(last.size() - 1);
  }

  private String ask(String method, String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Program.BOUND)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<String> response =
          CLIENT.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      return response.statusCode() + " " + response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
