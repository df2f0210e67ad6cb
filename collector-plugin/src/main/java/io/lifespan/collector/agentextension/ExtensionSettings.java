package io.lifespan.collector.agentextension;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;

/** The settings that an agent's user turns the extension on and off with. */
final class ExtensionSettings {

  private static final String ENABLED = "otel.lifespan.enabled";
  private static final String PROPAGATE = "otel.lifespan.propagate";

  private ExtensionSettings() {}

  /** Whether the service's processes are watched; not by default. */
  static boolean enabled(ConfigProperties config) {
    return config.getBoolean(ENABLED, false);
  }

  /** Whether what the service starts gets the trace handed; by default if it is watched. */
  static boolean propagates(ConfigProperties config) {
    return config.getBoolean(PROPAGATE, enabled(config));
  }
}
