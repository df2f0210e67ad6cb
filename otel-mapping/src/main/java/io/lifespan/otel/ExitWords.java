package io.lifespan.otel;

import io.lifespan.libc.Signal;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.opentelemetry.api.logs.Severity;

/** How a process ended, in words for people. */
final class ExitWords {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MILLIS_PER_SECOND = 1_000;

  private ExitWords() {}

  static String how(WaitStatus status) {
    return status.signaled()
        ? " was ended by " + Signal.name(status.signal())
        : " exited with code " + status.exitCode();
  }

  /** What a person or a service manager asked for is a warning, what nobody asked for an error. */
  static Severity severity(WaitStatus status) {
    if (status.success()) {
      return Severity.INFO;
    }
    if (!status.signaled()) {
      return Severity.WARN;
    }
    return switch (Signal.name(status.signal())) {
      case "SIGHUP", "SIGINT", "SIGPIPE", "SIGTERM" -> Severity.WARN;
      default -> Severity.ERROR;
    };
  }

  /**
   * In seconds, to the millisecond below ten; put together by hand, since a formatter costs more
   * than all else.
   */
  static String lifetime(TrackedProcess process) {
    long millis = (process.endNanos() - process.startNanos()) / NANOS_PER_MILLI;
    long seconds = millis / MILLIS_PER_SECOND;
    if (seconds >= 10) {
      return seconds + " s";
    }
    String thousandths = Long.toString(MILLIS_PER_SECOND + millis % MILLIS_PER_SECOND);
    return seconds + "." + thousandths.substring(1) + " s";
  }
}
