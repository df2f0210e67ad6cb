package io.lifespan.collector.config;

/** Which defaults hold: they differ where a person watches and where a machine runs unattended. */
public enum Profile {
  /**
   * One command, started by a person: nothing is sent anywhere unless an endpoint or exporter is
   * configured, and arguments are shown redacted.
   */
  RUN,
  /** A whole node: exports to OpenTelemetry's default endpoint, and arguments are only counted. */
  AGENT
}
