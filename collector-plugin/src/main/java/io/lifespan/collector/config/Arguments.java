package io.lifespan.collector.config;

/**
 * How much of a command's arguments may leave the machine: the value of {@code lifespan.arguments}.
 */
public enum Arguments {
  /** Nothing, not even how many there are. */
  OFF,
  /** How many there are. */
  COUNT,
  /** The arguments, with what looks like a secret masked. */
  REDACTED
}
