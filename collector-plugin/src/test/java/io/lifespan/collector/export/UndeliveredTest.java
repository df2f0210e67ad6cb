package io.lifespan.collector.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints that do not take spans: the end comes within its limit, and the account is exact. */
@Timeout(60)
class UndeliveredTest {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration ENOUGH = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void aRefusedConnectionIsToldAtOnceWithItsCause(String protocol) throws Exception {
    String endpoint = "http://127.0.0.1:" + closedPort();
    try (Telemetry telemetry = Feed.telemetry(given(protocol, endpoint))) {
      Feed.spans(telemetry, 1_300);

      DeliveryReport report = telemetry.shutdown(ENOUGH);

      assertThat(report.problems())
          .singleElement()
          .asString()
          .startsWith("1300 of 1300 spans not delivered to OTLP/")
          .contains(endpoint)
          .contains("connection refused")
          .endsWith(
              "check that an OTLP receiver listens there, or set OTEL_EXPORTER_OTLP_ENDPOINT");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void anEndpointThatAcceptsAndNeverAnswersIsCutOffAtTheLimit(String protocol) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Telemetry telemetry =
            Feed.telemetry(given(protocol, "http://127.0.0.1:" + silent.getLocalPort()))) {
      Feed.spans(telemetry, 1_300);

      long begin = System.nanoTime();
      DeliveryReport report = telemetry.shutdown(LIMIT);

      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(LIMIT.dividedBy(2), LIMIT.plusSeconds(1));
      assertThat(report.complete()).isFalse();
      assertThat(report.destinations())
          .singleElement()
          .satisfies(
              destination -> {
                assertThat(destination.missing()).isEqualTo(1_300);
                assertThat(destination.overflowed()).isZero();
                assertThat(destination.cause()).isEqualTo("no answer in time");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void theCauseOfAttemptsThatAreStillRepeatedIsKnown(String protocol) throws Exception {
    int port = closedPort();
    BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    Map<String, String> given = given(protocol, "http://127.0.0.1:" + port);
    given.put("otel.bsp.schedule.delay", "1");
    try (Telemetry telemetry = Telemetry.open(Feed.settings(given), notices::add)) {
      Feed.spans(telemetry, 1);
      while (!telemetry.report().destinations().get(0).cause().contains("refused")) {
        TimeUnit.MILLISECONDS.sleep(5);
      }

      assertThat(notices).as("no export has failed for good yet").isEmpty();
      assertThat(telemetry.shutdown(ENOUGH).problems())
          .singleElement()
          .asString()
          .contains("1 of 1 spans not delivered", "connection refused");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void aPeerThatSpeaksSomethingElseLeadsToTheProtocolSetting(String protocol) throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> answerNonsense(other), "nonsense");
      server.setDaemon(true);
      server.start();
      try (Telemetry telemetry =
          Feed.telemetry(given(protocol, "http://127.0.0.1:" + other.getLocalPort()))) {
        Feed.spans(telemetry, 1);

        assertThat(telemetry.shutdown(ENOUGH).problems())
            .singleElement()
            .asString()
            .contains("check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_PROTOCOL");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void spansBeyondTheQueueAreCountedAsOverflow(String protocol) throws Exception {
    Map<String, String> given = given(protocol, "http://127.0.0.1:" + closedPort());
    given.put("otel.bsp.max.queue.size", "64");
    given.put("otel.bsp.max.export.batch.size", "64");
    given.put("otel.java.exporter.otlp.retry.disabled", "true");
    try (Telemetry telemetry = Feed.telemetry(given)) {
      Feed.spans(telemetry, 50_000);

      long begin = System.nanoTime();
      DeliveryReport.Destination end = telemetry.shutdown(ENOUGH).destinations().get(0);

      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(ENOUGH.dividedBy(2));
      assertThat(end.accepted()).isEqualTo(50_000);
      assertThat(end.missing()).isEqualTo(50_000);
      assertThat(end.overflowed()).isBetween(1L, 50_000L - 64);
      assertThat(end.toString())
          .contains(end.overflowed() + " of them dropped, the queue was full");
    }
  }

  private static Map<String, String> given(String protocol, String endpoint) {
    return new java.util.HashMap<>(
        Map.of("otel.exporter.otlp.protocol", protocol, "otel.exporter.otlp.endpoint", endpoint));
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void answerNonsense(ServerSocket server) {
    for (String line : List.of("220 mail.example ready\r\n", "220 again\r\n")) {
      try (Socket socket = server.accept()) {
        socket.getOutputStream().write(line.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        socket.getInputStream().read(new byte[64]);
      } catch (IOException closed) {
        return;
      }
    }
  }
}
