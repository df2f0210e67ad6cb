package io.lifespan.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.data.LinkData;
import org.jspecify.annotations.Nullable;

/**
 * Where the span of a process stands.
 *
 * @param trace the trace it belongs to
 * @param context its own ids
 * @param parent the span it is a child of; null at the top of a trace
 * @param depth how many processes are above it in this trace
 * @param link the span that caused it without being its parent; null as a rule
 */
record SpanPlace(
    Trace trace,
    SpanContext context,
    @Nullable SpanContext parent,
    int depth,
    @Nullable LinkData link) {

  SpanPlace withLink(LinkData newLink) {
    return new SpanPlace(trace, context, parent, depth, newLink);
  }
}
