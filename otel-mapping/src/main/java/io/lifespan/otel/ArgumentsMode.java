package io.lifespan.otel;

/** What of a command's arguments leaves the machine. */
public enum ArgumentsMode {
  /** Nothing. */
  OFF,
  /** How many there are, and the command itself (argument 0). */
  COUNT,
  /** All of them, secrets masked. */
  REDACTED
}
