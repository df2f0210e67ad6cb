package io.lifespan.otel;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the trace context that a process is handed in its environment, as
 * OpenTelemetry's "environment variables as context propagation carriers" names it: {@code
 * TRACEPARENT} and {@code TRACESTATE}, with values in the format of the W3C Trace Context
 * specification.
 */
public final class TraceContext {

  /** The variable that names the parent span. */
  public static final String TRACEPARENT = "TRACEPARENT";

  /** The variable with what vendors add to it. */
  public static final String TRACESTATE = "TRACESTATE";

  private static final Getter GETTER = new Getter();

  private TraceContext() {}

  /**
   * The span context of the two variables, marked remote; null if there is none or it is invalid.
   * An invalid tracestate is left out and spoils nothing.
   */
  public static @Nullable SpanContext parse(
      @Nullable String traceparent, @Nullable String tracestate) {
    if (traceparent == null) {
      return null;
    }
    Variables variables = new Variables(traceparent, tracestate);
    Context context =
        W3CTraceContextPropagator.getInstance().extract(Context.root(), variables, GETTER);
    SpanContext parsed = Span.fromContext(context).getSpanContext();
    return parsed.isValid() ? parsed : null;
  }

  /** The value of {@link #TRACEPARENT} that makes a process a child of this span. */
  public static String traceparent(SpanContext context) {
    return "00-"
        + context.getTraceId()
        + '-'
        + context.getSpanId()
        + '-'
        + context.getTraceFlags().asHex();
  }

  private record Variables(String traceparent, @Nullable String tracestate) {}

  private static final class Getter implements TextMapGetter<Variables> {
    @Override
    public @Nullable String get(@Nullable Variables carrier, String key) {
      if (carrier == null) {
        return null;
      }
      return switch (key) {
        case "traceparent" -> carrier.traceparent;
        case "tracestate" -> carrier.tracestate;
        default -> null;
      };
    }
  }
}
