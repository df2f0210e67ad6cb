package io.lifespan.collector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lifespan.otel.TraceSampler;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings in a service's own JVM, whose SDK is not Lifespan's. */
class ServiceSettingsTest {

  @Test
  void whatTheServicesOwnSdkKnowsStopsNothing() throws SettingsException {
    Settings settings =
        read(
            Map.of(
                "otel.traces.exporter", "zipkin",
                "otel.traces.sampler", "jaeger_remote",
                "otel.exporter.otlp.protocol", "http/json",
                "otel.lifespan.enabled", "true"));

    assertThat(settings.trace().sampler()).isEqualTo(TraceSampler.DEFAULT);
    assertThat(settings.export().anything()).isFalse();
  }

  @Test
  void argumentsAreOnlyCounted() throws SettingsException {
    assertThat(read(Map.of()).arguments()).isEqualTo(Arguments.COUNT);
  }

  @Test
  void lifespansOwnAreCheckedAsEver() {
    assertThatThrownBy(() -> read(Map.of("lifespan.source", "ebpf")))
        .hasMessageContaining("did you mean lifespan.sources?");
  }

  @Test
  void whatAnotherPlaceKnowsCountsAndWhatTheProcessHasToo() throws SettingsException {
    SettingSources sources =
        SettingSources.ofProcess(
            Map.of("lifespan.queue.size", "100"),
            name -> name.equals("lifespan.arguments") ? "off" : null);

    Settings settings = Settings.read(Profile.SERVICE, sources);

    assertThat(settings.queueSize()).isEqualTo(100);
    assertThat(settings.arguments()).isEqualTo(Arguments.OFF);
  }

  private static Settings read(Map<String, String> properties) throws SettingsException {
    return Settings.read(Profile.SERVICE, SettingSources.of(Map.of(), properties, Map.of()));
  }
}
