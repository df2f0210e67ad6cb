package io.lifespan.otel;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which log events are made.
 *
 * @param events of what
 * @param longLivedAfter a process that has lived so long is told of by a start event, since its
 *     span will come late, if ever
 */
public record LogOptions(Set<LogEvent> events, Duration longLivedAfter) {

  /** What cannot wait for a span: all but execs, successful exits and new credentials. */
  public static final Set<LogEvent> DEFAULT_EVENTS =
      Set.copyOf(
          EnumSet.complementOf(EnumSet.of(LogEvent.EXEC, LogEvent.EXIT, LogEvent.CREDENTIALS)));

  public LogOptions {
    events = Set.copyOf(events);
  }
}
