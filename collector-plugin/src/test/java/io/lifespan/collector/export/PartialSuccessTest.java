package io.lifespan.collector.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PartialSuccessTest {

  private static final Duration ENOUGH = Duration.ofSeconds(30);

  @Test
  void whatWasNotTakenAndWhyIsRead() {
    assertThat(PartialSuccess.parse(answer(300, "too many attributes")))
        .isEqualTo(new PartialSuccess(300, "too many attributes"));
    assertThat(PartialSuccess.parse(answer(0, "deprecated")))
        .isEqualTo(new PartialSuccess(0, "deprecated"));
  }

  @Test
  void anAnswerWithoutItHasNone() {
    assertThat(PartialSuccess.parse(new byte[0])).isNull();
    assertThat(PartialSuccess.parse("{}".getBytes(StandardCharsets.US_ASCII))).isNull();
  }

  @Test
  void anAnswerThatWasCutHasNone() {
    byte[] whole = answer(300, "too many attributes");
    for (int length = 0; length < whole.length; length++) {
      assertThat(PartialSuccess.parse(Arrays.copyOf(whole, length))).isNull();
    }
  }

  @Test
  void aLongReasonIsCut() {
    PartialSuccess partial = PartialSuccess.parse(answer(1, "x".repeat(5_000)));

    assertThat(partial).isNotNull();
    assertThat(partial.message()).hasSize(201).endsWith("x…");
  }

  @Property(tries = 500)
  void anyBytesAreRead(@ForAll byte[] bytes) {
    assertThatCode(() -> PartialSuccess.parse(bytes)).doesNotThrowAnyException();
  }

  @Test
  void spansThatAReceiverRejectsAreToldAndNotCountedAsDelivered() throws Exception {
    Queue<String> notices = new ConcurrentLinkedQueue<>();
    try (Receiver receiver = new Receiver(answer(2, "too old"));
        Telemetry telemetry = Telemetry.open(Feed.settings(receiver.settings()), notices::add)) {
      Feed.spans(telemetry, 5);
      DeliveryReport report = telemetry.shutdown(ENOUGH);

      assertThat(report.complete()).isFalse();
      assertThat(report.problems())
          .singleElement()
          .asString()
          .startsWith("2 of 5 spans not delivered to OTLP/HTTP ")
          .contains("rejected by the receiver: too old");
      assertThat(notices).singleElement().asString().contains("not all spans are taken by");
    }
  }

  @Test
  void aWarningOfAReceiverThatTakesAllIsNoLoss() throws Exception {
    Queue<String> notices = new ConcurrentLinkedQueue<>();
    try (Receiver receiver = new Receiver(answer(0, "mind the limits"));
        Telemetry telemetry = Telemetry.open(Feed.settings(receiver.settings()), notices::add)) {
      Feed.spans(telemetry, 5);

      assertThat(telemetry.shutdown(ENOUGH).complete()).isTrue();
      assertThat(notices).isEmpty();
    }
  }

  private static byte[] answer(long rejected, String message) {
    return ExportTraceServiceResponse.newBuilder()
        .setPartialSuccess(
            ExportTracePartialSuccess.newBuilder()
                .setRejectedSpans(rejected)
                .setErrorMessage(message))
        .build()
        .toByteArray();
  }

  /** Takes everything and always gives the same answer. */
  private record Receiver(HttpServer server) implements AutoCloseable {

    Receiver(byte[] answer) throws Exception {
      this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
      server.createContext(
          "/",
          exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
          });
      server.start();
    }

    Map<String, String> settings() {
      return Map.of(
          "otel.exporter.otlp.protocol",
          "http/protobuf",
          "otel.exporter.otlp.endpoint",
          "http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
