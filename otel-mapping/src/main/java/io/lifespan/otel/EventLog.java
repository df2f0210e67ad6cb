package io.lifespan.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.resources.Resource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Takes log events of whatever is to be told at once, and hands them on. Thread-safe. */
public final class EventLog {

  private final LogRecordProcessor processor;
  private final LongSupplier epochClock;
  private final AtomicLong records = new AtomicLong();

  /**
   * @param processor takes the events, by its onEmit alone; whoever made it flushes and closes it
   * @param epochClock tells nanoseconds since the epoch
   */
  public EventLog(LogRecordProcessor processor, LongSupplier epochClock) {
    this.processor = processor;
    this.epochClock = epochClock;
  }

  /**
   * Tells one event.
   *
   * @param name of its kind: {@code lifespan.process.exit} ...
   * @param epochNanos when it happened
   * @param body a sentence for people
   * @param span of the process that it is about; invalid if there is none
   * @param resource what it is about
   */
  public void emit(
      String name,
      long epochNanos,
      Severity severity,
      String body,
      Attributes attributes,
      SpanContext span,
      Resource resource) {
    processor.onEmit(
        Context.root(),
        new EventRecord(
            name, epochNanos, epochClock.getAsLong(), severity, body, attributes, span, resource));
    records.incrementAndGet();
  }

  /** How many events were told. */
  public long records() {
    return records.get();
  }
}
