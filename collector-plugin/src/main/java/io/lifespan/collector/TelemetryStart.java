package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.collector.config.SettingsException;
import io.lifespan.collector.export.Telemetry;
import java.util.function.Consumer;

/** Opens the telemetry on a thread of its own: it takes as long as all else at the start. */
final class TelemetryStart {

  private TelemetryStart() {}

  /**
   * Begins to open it; it cannot be opened if the settings cannot be used.
   *
   * @param notices gets a line when spans begin to fail to reach a place, and when they do again
   */
  static Starting<Telemetry> with(Settings settings, Consumer<String> notices) {
    return Starting.begin("lifespan-telemetry-start", () -> open(settings, notices));
  }

  private static Telemetry open(Settings settings, Consumer<String> notices)
      throws CannotStartException {
    try {
      return Telemetry.open(settings, notices, HostResource::ofLifespan);
    } catch (SettingsException e) {
      throw new CannotStartException(ExitCodes.USAGE, e.errors());
    }
  }
}
