package io.lifespan.collector;

/** The program's own exit codes; {@code run} else ends with its command's. */
final class ExitCodes {

  static final int OK = 0;

  /** What was asked for cannot be had here, or has ceased to work. */
  static final int FAILED = 1;

  /** Options or settings are wrong. */
  static final int USAGE = 2;

  /** {@code run} could not begin to watch: the command was not started. */
  static final int RUN_FAILED = 125;

  /** The command was found but cannot be executed. */
  static final int NOT_EXECUTABLE = 126;

  /** There is no such command. */
  static final int NOT_FOUND = 127;

  private ExitCodes() {}
}
