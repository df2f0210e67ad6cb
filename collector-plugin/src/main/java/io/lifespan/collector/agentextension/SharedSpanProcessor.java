package io.lifespan.collector.agentextension;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/** The SDK's processor as it is, but that the watch ends before it: its last spans still go out. */
final class SharedSpanProcessor implements SpanProcessor {

  private final SpanProcessor shared;
  private final Runnable beforeShutdown;

  SharedSpanProcessor(SpanProcessor shared, Runnable beforeShutdown) {
    this.shared = shared;
    this.beforeShutdown = beforeShutdown;
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    shared.onStart(parentContext, span);
  }

  @Override
  public boolean isStartRequired() {
    return shared.isStartRequired();
  }

  @Override
  public void onEnd(ReadableSpan span) {
    shared.onEnd(span);
  }

  @Override
  public boolean isEndRequired() {
    return shared.isEndRequired();
  }

  @Override
  public CompletableResultCode forceFlush() {
    return shared.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    beforeShutdown.run();
    return shared.shutdown();
  }

  @Override
  public String toString() {
    return shared.toString();
  }
}
