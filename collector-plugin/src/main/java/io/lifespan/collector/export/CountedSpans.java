package io.lifespan.collector.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Sends spans, and counts what becomes of them. */
record CountedSpans(SpanExporter exporter, DeliveryCounter counter) implements SpanExporter {

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    return counter.export(spans.size(), () -> exporter.export(spans));
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return counter.close(exporter::shutdown);
  }
}
