package io.lifespan.otel;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The finished span of a process: data only, made once at the end of the process, and taken by span
 * processors as it is.
 *
 * <p>It follows the convention for the execution of CLI programs seen from within (semantic
 * conventions 1.45, "CLI programs"): kind INTERNAL, status Error if and only if the exit code is
 * not 0.
 */
final class ProcessSpan implements SpanData, ReadableSpan {

  private static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.create(Semconv.SCOPE);

  private final String name;
  private final SpanPlace place;
  private final long startEpochNanos;
  private final long endEpochNanos;
  private final boolean failed;
  private final Attributes attributes;
  private final List<EventData> events;
  private final int eventsDropped;
  private final Resource resource;

  ProcessSpan(
      String name,
      SpanPlace place,
      long startEpochNanos,
      long endEpochNanos,
      boolean failed,
      Attributes attributes,
      List<EventData> events,
      int eventsDropped,
      Resource resource) {
    this.name = name;
    this.place = place;
    this.startEpochNanos = startEpochNanos;
    this.endEpochNanos = endEpochNanos;
    this.failed = failed;
    this.attributes = attributes;
    this.events = events;
    this.eventsDropped = eventsDropped;
    this.resource = resource;
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public SpanKind getKind() {
    return SpanKind.INTERNAL;
  }

  @Override
  public SpanContext getSpanContext() {
    return place.context();
  }

  @Override
  public SpanContext getParentSpanContext() {
    SpanContext parent = place.parent();
    return parent == null ? SpanContext.getInvalid() : parent;
  }

  @Override
  public StatusData getStatus() {
    return failed ? StatusData.error() : StatusData.unset();
  }

  @Override
  public long getStartEpochNanos() {
    return startEpochNanos;
  }

  @Override
  public long getEndEpochNanos() {
    return endEpochNanos;
  }

  @Override
  public long getLatencyNanos() {
    return endEpochNanos - startEpochNanos;
  }

  @Override
  public boolean hasEnded() {
    return true;
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
  public List<EventData> getEvents() {
    return events;
  }

  @Override
  public int getTotalRecordedEvents() {
    return events.size() + eventsDropped;
  }

  @Override
  public List<LinkData> getLinks() {
    LinkData link = place.link();
    return link == null ? List.of() : List.of(link);
  }

  @Override
  public int getTotalRecordedLinks() {
    return place.link() == null ? 0 : 1;
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
  @SuppressWarnings("deprecation") // abstract in both interfaces still
  public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(Semconv.SCOPE, null);
  }

  @Override
  public SpanData toSpanData() {
    return this;
  }

  @Override
  public String toString() {
    return name + ' ' + place.context().getTraceId() + '/' + place.context().getSpanId();
  }
}
