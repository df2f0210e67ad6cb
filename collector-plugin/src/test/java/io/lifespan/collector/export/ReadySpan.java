package io.lifespan.collector.export;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;

/** A span that was never live, as Lifespan's own are. */
record ReadySpan(SpanData data) implements ReadableSpan {
  private static final Resource RESOURCE =
      Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "observed"));

  /** A sampled span with ids made of its number. */
  static ReadySpan number(long number) {
    return of(number, TraceFlags.getSampled());
  }

  static ReadySpan of(long number, TraceFlags flags) {
    return new ReadySpan(
        TestSpanData.builder()
            .setSpanContext(
                SpanContext.create(
                    TraceId.fromLongs(1, number),
                    SpanId.fromLong(number),
                    flags,
                    TraceState.getDefault()))
            .setResource(RESOURCE)
            .setName("span " + number)
            .setKind(SpanKind.INTERNAL)
            .setStatus(StatusData.unset())
            .setAttributes(Attributes.of(AttributeKey.longKey("process.pid"), number))
            .setTotalAttributeCount(1)
            .setStartEpochNanos(1_700_000_000_000_000_000L + number)
            .setEndEpochNanos(1_700_000_001_000_000_000L + number)
            .setHasEnded(true)
            .build());
  }

  @Override
  public SpanData toSpanData() {
    return data;
  }

  @Override
  public SpanContext getSpanContext() {
    return data.getSpanContext();
  }

  @Override
  public SpanContext getParentSpanContext() {
    return data.getParentSpanContext();
  }

  @Override
  public String getName() {
    return data.getName();
  }

  @Override
  @Deprecated
  @SuppressWarnings("deprecation")
  public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return data.getInstrumentationLibraryInfo();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return data.getInstrumentationScopeInfo();
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public long getLatencyNanos() {
    return data.getEndEpochNanos() - data.getStartEpochNanos();
  }

  @Override
  public SpanKind getKind() {
    return data.getKind();
  }

  @Override
  public <T> T getAttribute(AttributeKey<T> key) {
    return data.getAttributes().get(key);
  }

  @Override
  public Attributes getAttributes() {
    return data.getAttributes();
  }
}
