package io.lifespan.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.ArrayDeque;
import java.util.Deque;
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
  private long failedNanos = Long.MIN_VALUE;
  private @Nullable Deque<FlightRecorder.Held> held;

  private Trace(String id, TraceFlags flags, TraceState state, @Nullable String firstSpanId) {
    this.id = id;
    this.flags = flags;
    this.state = state;
    this.firstSpanId = firstSpanId;
  }

  /** A trace that begins with a process, whose span id is given. */
  static Trace begin(String id, String firstSpanId, TraceFlags flags) {
    return new Trace(id, flags, TraceState.getDefault(), firstSpanId);
  }

  /** The trace of a span that is not ours; processes in it keep its tracestate. */
  static Trace of(SpanContext context, @Nullable String firstSpanId, TraceFlags flags) {
    return new Trace(context.getTraceId(), flags, context.getTraceState(), firstSpanId);
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

  /** A process in it failed at a time of CLOCK_MONOTONIC. */
  void failed(long nanos) {
    failedNanos = Math.max(failedNanos, nanos);
  }

  /** True if a process in it has failed at a time or later. */
  boolean hadFailedSince(long nanos) {
    return failedNanos != Long.MIN_VALUE && failedNanos >= nanos;
  }

  /** Its processes that the recorder keeps back. */
  Deque<FlightRecorder.Held> held() {
    if (held == null) {
      held = new ArrayDeque<>(4);
    }
    return held;
  }

  SpanContext context(String spanId) {
    return SpanContext.create(id, spanId, flags, state);
  }
}
