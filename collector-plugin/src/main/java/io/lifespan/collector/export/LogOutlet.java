package io.lifespan.collector.export;

import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InternalTelemetryVersion;
import io.opentelemetry.sdk.logs.ReadWriteLogRecord;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessorBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of log events to one destination. The queue holds 16,384 unless {@code OTEL_BLRP_*} say
 * otherwise; all other values are the SDK's.
 */
final class LogOutlet implements Outlet {
  private static final int QUEUE_SIZE = 16_384;

  private final BatchLogRecordProcessor processor;
  private final CountedLogs exporter;
  private final AtomicLong accepted = new AtomicLong();
  private volatile boolean complete;

  /**
   * @param meters what the processor measures itself with; null for nothing
   */
  LogOutlet(
      CountedLogs exporter, ConfigProperties config, @Nullable Supplier<MeterProvider> meters) {
    this.exporter = exporter;
    BatchLogRecordProcessorBuilder builder = BatchLogRecordProcessor.builder(exporter);
    builder.setMaxQueueSize(config.getInt("otel.blrp.max.queue.size", QUEUE_SIZE));
    Integer batchSize = config.getInt("otel.blrp.max.export.batch.size");
    if (batchSize != null) {
      builder.setMaxExportBatchSize(batchSize);
    }
    Duration delay = config.getDuration("otel.blrp.schedule.delay");
    if (delay != null) {
      builder.setScheduleDelay(delay);
    }
    Duration timeout = config.getDuration("otel.blrp.export.timeout");
    if (timeout != null) {
      builder.setExporterTimeout(timeout);
    }
    if (meters != null) {
      builder.setMeterProvider(meters);
      builder.setInternalTelemetryVersion(InternalTelemetryVersion.LATEST);
    }
    processor = builder.build();
  }

  /** Takes an event; never blocks. */
  void accept(Context context, ReadWriteLogRecord event) {
    accepted.incrementAndGet();
    processor.onEmit(context, event);
  }

  @Override
  public CompletableResultCode probe() {
    return exporter.export(List.of());
  }

  @Override
  public CompletableResultCode flush() {
    return processor.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return processor.shutdown().whenComplete(() -> complete = true);
  }

  @Override
  public void cutOff() {
    exporter.counter().cutOff();
    exporter.shutdown();
  }

  @Override
  public DeliveryReport.Destination report() {
    return exporter.counter().report(accepted.get(), complete);
  }

  @Override
  public @Nullable String failing() {
    return exporter.counter().failing();
  }
}
