package io.lifespan.collector.config;

/** Which defaults hold: they differ where a person watches and where a machine runs unattended. */
public enum Profile {
  /**
   * One command, started by a person: nothing is sent anywhere unless an endpoint or exporter is
   * configured, and arguments are shown redacted.
   */
  RUN,
  /** A whole node: exports to OpenTelemetry's default endpoint, and arguments are only counted. */
  AGENT,
  /**
   * Within a service's own JVM: arguments are only counted, and where telemetry goes is not
   * Lifespan's to say.
   */
  SERVICE
}
