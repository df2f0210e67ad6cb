package io.lifespan.collector.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.collector.testing.HttpsReceiver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpsDeliveryIT {
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir static Path dir;

  @Test
  void spansArriveOverTlsWithTheGivenCertificateAndGzip() throws Exception {
    try (HttpsReceiver receiver = HttpsReceiver.start(dir, 200)) {
      Map<String, String> given = given(receiver);
      given.put("otel.exporter.otlp.certificate", receiver.certificate().toString());
      given.put("otel.exporter.otlp.compression", "gzip");
      DeliveryReport report = send(given, 1_300);

      assertThat(report.complete()).isTrue();
      assertThat(receiver.spans()).hasSize(1_300);
      assertThat(receiver.encodings()).isNotEmpty().containsOnly("gzip");
    }
  }

  @Test
  void aCertificateThatIsNotTrustedIsToldAsSuch() throws Exception {
    try (HttpsReceiver receiver = HttpsReceiver.start(dir, 200)) {
      DeliveryReport report = send(given(receiver), 3);

      assertThat(report.problems())
          .singleElement()
          .asString()
          .startsWith(
              "3 of 3 spans not delivered to OTLP/HTTP "
                  + receiver.endpoint()
                  + "/v1/traces: TLS: ")
          .contains("check OTEL_EXPORTER_OTLP_CERTIFICATE");
      assertThat(receiver.spans()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "401, check OTEL_EXPORTER_OTLP_HEADERS",
    "404, check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_PROTOCOL",
    "413, lower OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    "500, look at the receiver's own log"
  })
  void aRefusalByTheReceiverIsToldWithItsStatus(int status, String remedy) throws Exception {
    try (HttpsReceiver receiver = HttpsReceiver.start(dir, status)) {
      Map<String, String> given = given(receiver);
      given.put("otel.exporter.otlp.certificate", receiver.certificate().toString());

      assertThat(send(given, 3).problems())
          .singleElement()
          .asString()
          .startsWith("3 of 3 spans not delivered")
          .contains("HTTP status " + status, remedy);
    }
  }

  private static Map<String, String> given(HttpsReceiver receiver) {
    Map<String, String> given = new HashMap<>();
    given.put("otel.exporter.otlp.protocol", "http/protobuf");
    given.put("otel.exporter.otlp.endpoint", receiver.endpoint());
    return given;
  }

  private static DeliveryReport send(Map<String, String> given, int count) throws Exception {
    try (Telemetry telemetry = Feed.telemetry(given)) {
      Feed.spans(telemetry, count);
      return telemetry.shutdown(BOUND);
    }
  }
}
