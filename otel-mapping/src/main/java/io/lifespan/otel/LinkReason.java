package io.lifespan.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.data.LinkData;

/** Why the span of a process has a link. */
enum LinkReason {
  /** The process that made it is long-lived: the link leads there, the trace begins here. */
  LONG_LIVED_PARENT("long_lived_parent"),
  /** The trace that it would belong to is full: the link leads to its parent there. */
  TRACE_FULL("trace_full"),
  /** It joined the trace of its TRACEPARENT: the link leads to the process that made it. */
  PROCESS_PARENT("process_parent"),
  /** Its TRACEPARENT came after it had made processes: the link leads to the span that it names. */
  LATE_TRACEPARENT("late_traceparent");

  private final String value;

  LinkReason(String value) {
    this.value = value;
  }

  LinkData to(SpanContext context) {
    return LinkData.create(context, Attributes.of(Semconv.LINK_REASON, value));
  }
}
