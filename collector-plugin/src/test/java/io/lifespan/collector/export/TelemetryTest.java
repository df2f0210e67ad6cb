package io.lifespan.collector.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.SettingSources;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.opentelemetry.api.common.AttributeKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TelemetryTest {

  @Test
  void oneCommandWithNothingConfiguredSendsNothingAndHasNothingToSay() throws SettingsException {
    try (Telemetry telemetry = Feed.telemetry(Map.of())) {
      Feed.spans(telemetry, 10);

      assertThat(telemetry.active()).isFalse();
      assertThat(telemetry.describe()).isEqualTo("nothing exported");
      assertThat(telemetry.warnings()).isEmpty();
      assertThat(telemetry.shutdown(Duration.ofSeconds(1)))
          .isEqualTo(new DeliveryReport(java.util.List.of()));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          otel.service.name=a                                           | spans, metrics and logs to OTLP/gRPC http://localhost:4317
          otel.exporter.otlp.protocol=http/protobuf                     | spans, metrics and logs to OTLP/HTTP http://localhost:4318
          otel.exporter.otlp.endpoint=http://h:1                        | spans, metrics and logs to OTLP/gRPC http://h:1
          otel.exporter.otlp.endpoint=https://user:secret@h:1           | spans, metrics and logs to OTLP/gRPC https://h:1
          otel.exporter.otlp.traces.endpoint=http://t:2                 | metrics and logs to OTLP/gRPC http://localhost:4317; spans to OTLP/gRPC http://t:2
          otel.traces.exporter=none                                     | metrics and logs to OTLP/gRPC http://localhost:4317
          otel.metrics.exporter=none                                    | spans and logs to OTLP/gRPC http://localhost:4317
          otel.sdk.disabled=true                                        | nothing exported
          """)
  void theAgentSaysWhatGoesWhere(String setting, String description) throws SettingsException {
    int equals = setting.indexOf('=');
    Map<String, String> given = Map.of(setting.substring(0, equals), setting.substring(equals + 1));
    Settings settings = Settings.read(Profile.AGENT, SettingSources.of(Map.of(), given, Map.of()));
    try (Telemetry telemetry = Telemetry.open(settings)) {
      assertThat(telemetry.describe()).isEqualTo(description);
    }
  }

  @Test
  void theHttpPathIsAddedToTheCommonEndpointOnly() throws SettingsException {
    Map<String, String> http = Map.of("otel.exporter.otlp.protocol", "http/protobuf");
    try (Telemetry common =
            Feed.telemetry(with(http, "otel.exporter.otlp.endpoint", "http://h/a/"));
        Telemetry own =
            Feed.telemetry(with(http, "otel.exporter.otlp.traces.endpoint", "http://h/b"))) {
      assertThat(common.report().destinations().get(0).name())
          .isEqualTo("OTLP/HTTP http://h/a/v1/traces");
      assertThat(own.report().destinations().get(0).name()).isEqualTo("OTLP/HTTP http://h/b");
    }
  }

  @Test
  void theConfiguredResourceIsWhatOpenTelemetryWasToldAndNoMore() throws SettingsException {
    Map<String, String> given =
        Map.of(
            "otel.service.name", "shop", "otel.resource.attributes", "team=a%20b,service.name=not");
    try (Telemetry told = Feed.telemetry(given);
        Telemetry untold = Feed.telemetry(Map.of())) {
      assertThat(told.resource().getAttributes().asMap())
          .isEqualTo(
              Map.of(
                  AttributeKey.stringKey("service.name"), "shop",
                  AttributeKey.stringKey("team"), "a b"));
      assertThat(untold.resource().getAttributes().isEmpty()).isTrue();
    }
  }

  @Test
  void whatOpenTelemetryFindsOddIsAWarningAndNotOnTheTerminal() throws SettingsException {
    Map<String, String> given = Map.of("otel.exporter.otlp.endpoint", "http://127.0.0.1:4318");
    try (Telemetry telemetry = Feed.telemetry(given)) {
      assertThat(telemetry.warnings())
          .singleElement()
          .asString()
          .contains("port is likely incorrect for protocol version \"grpc\"");
      assertThat(Logger.getLogger("io.opentelemetry").getUseParentHandlers()).isFalse();
    }
    assertThat(Logger.getLogger("io.opentelemetry").getUseParentHandlers()).isTrue();
  }

  @Test
  void aCertificateThatIsNoneStopsTheStart(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("certificate.pem"), "not a certificate");
    Map<String, String> given =
        Map.of(
            "otel.exporter.otlp.endpoint",
            "https://127.0.0.1:1",
            "otel.exporter.otlp.certificate",
            file.toString());

    SettingsException refused =
        catchThrowableOfType(SettingsException.class, () -> Feed.telemetry(given));

    assertThat(refused.errors())
        .singleElement()
        .asString()
        .startsWith("OpenTelemetry's settings: ");
  }

  private static Map<String, String> with(Map<String, String> some, String name, String value) {
    Map<String, String> all = new java.util.HashMap<>(some);
    all.put(name, value);
    return all;
  }
}
