package io.lifespan.collector.export;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;

/** Hands each ended, sampled span to every outlet. */
final class SpanIntake implements SpanProcessor {
  private final List<SpanOutlet> outlets;

  SpanIntake(List<SpanOutlet> outlets) {
    this.outlets = List.copyOf(outlets);
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (span.getSpanContext().isSampled()) {
      for (SpanOutlet outlet : outlets) {
        outlet.accept(span);
      }
    }
  }

  @Override
  public boolean isEndRequired() {
    return !outlets.isEmpty();
  }

  @Override
  public CompletableResultCode forceFlush() {
    return CompletableResultCode.ofAll(outlets.stream().map(SpanOutlet::flush).toList());
  }
}
