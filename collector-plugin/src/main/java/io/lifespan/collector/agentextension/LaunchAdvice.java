package io.lifespan.collector.agentextension;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * What is done around the start of a process: within a span, its context is put into the
 * environment of the child as TRACEPARENT and TRACESTATE, and taken out again, since a builder may
 * be used once more. A TRACEPARENT that the caller has put there stays; one that this JVM was
 * started with itself does not count.
 *
 * <p>These methods are copied into the JDK's class: they may use nothing but the JDK and
 * OpenTelemetry's API.
 */
public final class LaunchAdvice {

  private LaunchAdvice() {}

  /**
   * Puts the context there.
   *
   * @return the former TRACEPARENT and TRACESTATE, each null for none; null if nothing was done
   */
  @Advice.OnMethodEnter(suppress = Throwable.class)
  public static @Nullable String @Nullable [] enter(@Advice.This ProcessBuilder builder) {
    SpanContext span = Span.current().getSpanContext();
    if (!span.isValid()) {
      return null;
    }
    Map<String, String> environment = builder.environment();
    String parent = environment.get("TRACEPARENT");
    if (parent != null && !parent.equals(System.getenv("TRACEPARENT"))) {
      return null;
    }
    StringBuilder state = new StringBuilder();
    for (Map.Entry<String, String> entry : span.getTraceState().asMap().entrySet()) {
      state.append(state.length() == 0 ? "" : ",");
      state.append(entry.getKey()).append('=').append(entry.getValue());
    }
    String[] former = {parent, environment.get("TRACESTATE")};
    environment.put(
        "TRACEPARENT",
        "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + span.getTraceFlags().asHex());
    if (state.length() == 0) {
      environment.remove("TRACESTATE");
    } else {
      environment.put("TRACESTATE", state.toString());
    }
    return former;
  }

  /** Restores what was there. */
  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  public static void exit(
      @Advice.This ProcessBuilder builder, @Advice.Enter @Nullable String @Nullable [] former) {
    if (former == null) {
      return;
    }
    Map<String, String> environment = builder.environment();
    if (former[0] == null) {
      environment.remove("TRACEPARENT");
    } else {
      environment.put("TRACEPARENT", former[0]);
    }
    if (former[1] == null) {
      environment.remove("TRACESTATE");
    } else {
      environment.put("TRACESTATE", former[1]);
    }
  }
}
