package io.lifespan.collector.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.util.Collection;

/** Sends log events, and counts what becomes of them. */
record CountedLogs(LogRecordExporter exporter, DeliveryCounter counter)
    implements LogRecordExporter {

  @Override
  public CompletableResultCode export(Collection<LogRecordData> logs) {
    return counter.export(logs.size(), () -> exporter.export(logs));
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
