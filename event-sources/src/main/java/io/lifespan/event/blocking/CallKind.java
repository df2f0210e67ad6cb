package io.lifespan.event.blocking;

/** The calls that are told apart in statistics. */
public enum CallKind {
  /** access(), also for "does it exist". */
  ACCESS("access"),
  STAT("stat"),
  LSTAT("lstat"),
  STATFS("statfs"),
  READLINK("readlink"),
  /** statfs() and stat() of a mount, to see whether it lives. */
  PROBE("probe"),
  /** A path in another process's memory, which may lie in a file on a dead mount. */
  MEMORY("memory");

  private final String callName;

  CallKind(String callName) {
    this.callName = callName;
  }

  /** The name in output and telemetry: lower case. */
  public String callName() {
    return callName;
  }
}
