package io.lifespan.collector.export;

import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.SettingSources;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import java.util.Map;

/** What the tests of this package share: telemetry from a few settings, and spans for it. */
final class Feed {

  private Feed() {}

  static Telemetry telemetry(Map<String, String> given) throws SettingsException {
    return Telemetry.open(settings(given));
  }

  static Settings settings(Map<String, String> given) throws SettingsException {
    return Settings.read(Profile.RUN, SettingSources.of(Map.of(), given, Map.of()));
  }

  static void spans(Telemetry telemetry, int count) {
    for (int number = 1; number <= count; number++) {
      telemetry.spans().onEnd(ReadySpan.number(number));
    }
  }
}
