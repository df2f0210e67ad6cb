package io.lifespan.collector.agentextension;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is put into the environment of a child, and taken out again. */
class LaunchAdviceTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  private final ProcessBuilder builder = new ProcessBuilder("true");
  private final Map<String, String> environment = builder.environment();

  LaunchAdviceTest() {
    environment.clear();
  }

  @Test
  void withinASpanTheChildGetsItsContextAndTheBuilderIsAsBeforeAfterwards() {
    TraceState state = TraceState.builder().put("b", "2").put("a", "1").build();
    within(
        TraceFlags.getSampled(),
        state,
        () -> {
          String[] former = LaunchAdvice.enter(builder);

          assertThat(environment)
              .containsOnly(
                  Map.entry("TRACEPARENT", "00-" + TRACE + "-" + SPAN + "-01"),
                  Map.entry("TRACESTATE", "a=1,b=2"));
          LaunchAdvice.exit(builder, former);
          assertThat(environment).isEmpty();
        });
  }

  @Test
  void aSpanThatIsNotSampledSaysSo() {
    within(
        TraceFlags.getDefault(),
        TraceState.getDefault(),
        () -> {
          LaunchAdvice.enter(builder);

          assertThat(environment)
              .containsOnly(Map.entry("TRACEPARENT", "00-" + TRACE + "-" + SPAN + "-00"));
        });
  }

  @Test
  void whatTheCallerHasGivenTheChildStays() {
    environment.put("TRACEPARENT", "of the caller");
    environment.put("TRACESTATE", "of=caller");
    within(
        TraceFlags.getSampled(),
        TraceState.getDefault(),
        () -> {
          String[] former = LaunchAdvice.enter(builder);

          assertThat(former).isNull();
          LaunchAdvice.exit(builder, former);
        });
    assertThat(environment)
        .containsOnly(
            Map.entry("TRACEPARENT", "of the caller"), Map.entry("TRACESTATE", "of=caller"));
  }

  @Test
  void aTracestateWithoutItsTraceparentDoesNotReachTheChildAndIsPutBack() {
    environment.put("TRACESTATE", "of=another");
    within(
        TraceFlags.getSampled(),
        TraceState.getDefault(),
        () -> {
          String[] former = LaunchAdvice.enter(builder);

          assertThat(environment).containsOnlyKeys("TRACEPARENT");
          LaunchAdvice.exit(builder, former);
        });
    assertThat(environment).containsOnly(Map.entry("TRACESTATE", "of=another"));
  }

  @Test
  void outsideOfAnySpanNothingIsDone() {
    assertThat(LaunchAdvice.enter(builder)).isNull();
    assertThat(environment).isEmpty();
  }

  private static void within(TraceFlags flags, TraceState state, Runnable task) {
    SpanContext context = SpanContext.create(TRACE, SPAN, flags, state);
    Context.root().with(Span.wrap(context)).wrap(task).run();
  }
}
