package io.lifespan.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import org.jspecify.annotations.Nullable;

/**
 * A trace that processes belong to, and how many of them do. Owned by the process table's thread.
 */
final class Trace {

  private final String id;
  private final TraceFlags flags;
  private final TraceState state;
  private final @Nullable String firstSpanId;
  private int processes;

  private Trace(String id, TraceFlags flags, TraceState state, @Nullable String firstSpanId) {
    this.id = id;
    this.flags = flags;
    this.state = state;
    this.firstSpanId = firstSpanId;
  }

  /** A trace that begins with a process, whose span id is given. */
  static Trace begin(String id, String firstSpanId) {
    return new Trace(id, TraceFlags.getSampled(), TraceState.getDefault(), firstSpanId);
  }

  /** The trace of a span that is not ours; processes in it keep its flags and its tracestate. */
  static Trace of(SpanContext context, @Nullable String firstSpanId) {
    return new Trace(
        context.getTraceId(), context.getTraceFlags(), context.getTraceState(), firstSpanId);
  }

  String id() {
    return id;
  }

  /** True if the span is that of the process the trace begins with. */
  boolean beginsWith(SpanContext context) {
    return context.getSpanId().equals(firstSpanId) && context.getTraceId().equals(id);
  }

  int processes() {
    return processes;
  }

  void add() {
    processes++;
  }

  void remove() {
    processes--;
  }

  SpanContext context(String spanId) {
    return SpanContext.create(id, spanId, flags, state);
  }
}
