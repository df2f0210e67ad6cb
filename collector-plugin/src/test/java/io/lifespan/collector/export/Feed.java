package io.lifespan.collector.export;

import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.SettingSources;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import java.util.HashMap;
import java.util.Map;

/**
 * What the tests of this package share: telemetry from a few settings, and spans for it. Metrics
 * and logs go to no endpoint unless a test says so.
 */
final class Feed {

  private Feed() {}

  static Telemetry telemetry(Map<String, String> given) throws SettingsException {
    return Telemetry.open(settings(given));
  }

  static Settings settings(Map<String, String> given) throws SettingsException {
    Map<String, String> all = new HashMap<>(given);
    all.putIfAbsent("otel.metrics.exporter", "none");
    all.putIfAbsent("otel.logs.exporter", "none");
    return Settings.read(Profile.RUN, SettingSources.of(Map.of(), all, Map.of()));
  }

  static void spans(Telemetry telemetry, int count) {
    for (int number = 1; number <= count; number++) {
      telemetry.spans().onEnd(ReadySpan.number(number));
    }
  }
}
