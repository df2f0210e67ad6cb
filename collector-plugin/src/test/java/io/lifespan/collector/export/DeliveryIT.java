package io.lifespan.collector.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.MockOtlpServer;
import io.lifespan.collector.testing.ReceivedSpan;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spans on their way to a receiver that nobody here wrote. */
class DeliveryIT {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private MockOtlpServer receiver;

  @BeforeEach
  void startReceiver() throws Exception {
    receiver = MockOtlpServer.start();
  }

  @AfterEach
  void stopReceiver() {
    receiver.close();
  }

  @ParameterizedTest
  @CsvSource({"grpc, none", "grpc, gzip", "http/protobuf, none"})
  void aSpanArrivesAsItWasMade(String protocol, String compression) throws Exception {
    DeliveryReport report;
    try (Telemetry telemetry =
        open(protocol, Map.of("otel.exporter.otlp.compression", compression))) {
      telemetry.spans().onEnd(ReadySpan.number(0xab));
      report = telemetry.shutdown(BOUND);
    }

    assertThat(report.complete()).isTrue();
    ReceivedSpan span = receiver.awaitSpans(1, BOUND).get(0);
    assertThat(span.traceId()).isEqualTo("000000000000000100000000000000ab");
    assertThat(span.spanId()).isEqualTo("00000000000000ab");
    assertThat(span.name()).isEqualTo("span 171");
    assertThat(span.attributes()).isEqualTo(Map.of("process.pid", "171"));
    assertThat(span.resource()).isEqualTo(Map.of("service.name", "observed"));
    assertThat(span.json().get("startTimeUnixNano").getAsString()).isEqualTo("1700000000000000171");
    assertThat(span.json().get("endTimeUnixNano").getAsString()).isEqualTo("1700000001000000171");
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void aBurstOf20000SpansArrivesAs20000(String protocol) throws Exception {
    DeliveryReport report;
    try (Telemetry telemetry = open(protocol, Map.of())) {
      Feed.spans(telemetry, 20_000);
      report = telemetry.shutdown(BOUND);
    }

    assertThat(report.destinations())
        .singleElement()
        .satisfies(
            destination -> {
              assertThat(destination.accepted()).isEqualTo(20_000);
              assertThat(destination.delivered()).isEqualTo(20_000);
              assertThat(destination.overflowed()).isZero();
            });
    List<ReceivedSpan> spans = receiver.awaitSpans(20_000, BOUND);
    assertThat(spans).hasSize(20_000);
    assertThat(spans.stream().map(ReceivedSpan::spanId).distinct()).hasSize(20_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "http/protobuf"})
  void headersArriveDecoded(String protocol) throws Exception {
    try (Telemetry telemetry =
        open(protocol, Map.of("otel.exporter.otlp.headers", "api-key=s%20ecret,tenant=a"))) {
      Feed.spans(telemetry, 1);
      telemetry.shutdown(BOUND);
    }

    receiver.awaitSpans(1, BOUND);
    assertThat(receiver.headers())
        .singleElement()
        .satisfies(
            headers -> {
              assertThat(headers.get("api-key").getAsString()).isEqualTo("s ecret");
              assertThat(headers.get("tenant").getAsString()).isEqualTo("a");
            });
  }

  @Test
  void spansAreSentWhileMoreAreComingAndNotOnlyAtTheEnd() throws Exception {
    try (Telemetry telemetry = open("grpc", Map.of("otel.bsp.schedule.delay", "50"))) {
      Feed.spans(telemetry, 1);

      assertThat(receiver.awaitSpans(1, BOUND)).hasSize(1);
    }
  }

  private Telemetry open(String protocol, Map<String, String> more) throws Exception {
    Map<String, String> given = new HashMap<>(more);
    given.put("otel.exporter.otlp.protocol", protocol);
    given.put(
        "otel.exporter.otlp.endpoint",
        protocol.equals("grpc") ? receiver.grpcEndpoint() : receiver.httpEndpoint());
    return Feed.telemetry(given);
  }
}
