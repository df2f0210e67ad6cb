package io.lifespan.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which traces are exported, by the names that OpenTelemetry gives its samplers. A trace is
 * exported whole or not at all. Which share of the traces that is decides the id of the trace, by
 * the SDK's own rule: since ids are computed, whoever watches a process decides alike.
 *
 * @param parentBased whether a trace begun elsewhere is exported if and only if its TRACEPARENT
 *     says that it is sampled
 * @param ratio the share of the other traces, from 0 to 1
 */
public record TraceSampler(boolean parentBased, double ratio) {

  /** All traces but those that their TRACEPARENT says are not sampled: OpenTelemetry's default. */
  public static final TraceSampler DEFAULT = new TraceSampler(true, 1);

  private static final String PARENT_BASED = "parentbased_";
  private static final List<String> KINDS = List.of("always_on", "always_off", "traceidratio");

  public TraceSampler {
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("a share is from 0 to 1, not " + ratio);
    }
  }

  /** Every name that {@link #of} knows. */
  public static List<String> names() {
    List<String> names = new ArrayList<>(KINDS);
    KINDS.forEach(kind -> names.add(PARENT_BASED + kind));
    return names;
  }

  /**
   * The sampler of a name, as OTEL_TRACES_SAMPLER gives it; null if there is none.
   *
   * @param share for the names that end in {@code traceidratio}
   */
  public static @Nullable TraceSampler of(String name, double share) {
    boolean parentBased = name.startsWith(PARENT_BASED);
    return switch (parentBased ? name.substring(PARENT_BASED.length()) : name) {
      case "always_on" -> new TraceSampler(parentBased, 1);
      case "always_off" -> new TraceSampler(parentBased, 0);
      case "traceidratio" -> new TraceSampler(parentBased, share);
      default -> null;
    };
  }

  /** The flags of a trace that begins with a process. */
  public TraceFlags begin(String traceId) {
    return samples(traceId) ? TraceFlags.getSampled() : TraceFlags.getDefault();
  }

  /** The flags that processes have in the trace of a span that is not ours. */
  public TraceFlags join(SpanContext given) {
    return parentBased ? given.getTraceFlags() : begin(given.getTraceId());
  }

  private boolean samples(String traceId) {
    return ratio >= 1
        || Sampler.traceIdRatioBased(ratio)
                .shouldSample(
                    Context.root(), traceId, "", SpanKind.INTERNAL, Attributes.empty(), List.of())
                .getDecision()
            == SamplingDecision.RECORD_AND_SAMPLE;
  }
}
