package io.lifespan.otel;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.logs.ReadWriteLogRecord;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.resources.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A finished log event: data only, with the Resource of what is observed, and taken by log
 * processors as it is. Nothing can be added to it.
 */
record EventRecord(
    String eventName,
    long timestampEpochNanos,
    long observedEpochNanos,
    Severity severity,
    String body,
    Attributes attributes,
    SpanContext spanContext,
    Resource resource)
    implements ReadWriteLogRecord, LogRecordData {

  private static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.create(Semconv.SCOPE);

  @Override
  public <T> ReadWriteLogRecord setAttribute(AttributeKey<T> key, T value) {
    return this;
  }

  @Override
  public LogRecordData toLogRecordData() {
    return this;
  }

  @Override
  public Resource getResource() {
    return resource;
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return SCOPE;
  }

  @Override
  public long getTimestampEpochNanos() {
    return timestampEpochNanos;
  }

  @Override
  public long getObservedTimestampEpochNanos() {
    return observedEpochNanos;
  }

  @Override
  public SpanContext getSpanContext() {
    return spanContext;
  }

  @Override
  public Severity getSeverity() {
    return severity;
  }

  @Override
  public String getSeverityText() {
    return severity.name();
  }

  @Override
  @SuppressWarnings("deprecation") // abstract in the interface still
  public io.opentelemetry.sdk.logs.data.Body getBody() {
    return io.opentelemetry.sdk.logs.data.Body.string(body);
  }

  @Override
  public Value<?> getBodyValue() {
    return Value.of(body);
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public <T> @Nullable T getAttribute(AttributeKey<T> key) {
    return attributes.get(key);
  }

  @Override
  public int getTotalAttributeCount() {
    return attributes.size();
  }

  @Override
  public String getEventName() {
    return eventName;
  }
}
