package io.lifespan.collector;

import java.util.List;

/** A command that cannot begin: what to tell, one line each, and the exit code. */
final class CannotStartException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;
  private final int exitCode;

  CannotStartException(int exitCode, List<String> lines) {
    super(String.join("\n", lines));
    this.lines = List.copyOf(lines);
    this.exitCode = exitCode;
  }

  List<String> lines() {
    return lines;
  }

  int exitCode() {
    return exitCode;
  }
}
