package io.lifespan.otel;

import io.lifespan.process.ProcessKey;
import io.opentelemetry.api.trace.SpanContext;
import org.jspecify.annotations.Nullable;

/** Which processes get spans, and where their traces begin. */
public sealed interface TraceScope {

  /**
   * Every process. A child of a long-lived process begins a trace of its own.
   *
   * @param watchedSinceNanos when watching began, in nanoseconds of CLOCK_MONOTONIC: processes
   *     older than this are long-lived
   */
  record Node(long watchedSinceNanos) implements TraceScope {}

  /**
   * One process and its descendants, all in one trace, however long they live.
   *
   * @param root the first process
   * @param parent the span that the first process is a child of, with its tracestate; null if it
   *     begins a trace
   */
  record Subtree(ProcessKey root, @Nullable SpanContext parent) implements TraceScope {}

  /**
   * What one process makes, not the process itself: a service, which lives on. Each of its children
   * begins a trace of its own, unless it joins one.
   *
   * @param root the process that gets no span
   */
  record Descendants(ProcessKey root) implements TraceScope {}
}
