package io.lifespan.collector.export;

import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InternalTelemetryVersion;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessorBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of spans to one destination. The queue holds a burst of 65,536 spans unless {@code
 * OTEL_BSP_*} say otherwise; all other values are the SDK's.
 */
final class SpanOutlet implements Outlet {
  private static final int QUEUE_SIZE = 65_536;

  private final BatchSpanProcessor processor;
  private final CountedSpans exporter;
  private final AtomicLong accepted = new AtomicLong();
  private volatile boolean complete;

  /**
   * @param meters what the processor measures itself with; null for nothing
   */
  SpanOutlet(
      CountedSpans exporter, ConfigProperties config, @Nullable Supplier<MeterProvider> meters) {
    this.exporter = exporter;
    BatchSpanProcessorBuilder builder = BatchSpanProcessor.builder(exporter);
    builder.setMaxQueueSize(config.getInt("otel.bsp.max.queue.size", QUEUE_SIZE));
    Integer batchSize = config.getInt("otel.bsp.max.export.batch.size");
    if (batchSize != null) {
      builder.setMaxExportBatchSize(batchSize);
    }
    Duration delay = config.getDuration("otel.bsp.schedule.delay");
    if (delay != null) {
      builder.setScheduleDelay(delay);
    }
    Duration timeout = config.getDuration("otel.bsp.export.timeout");
    if (timeout != null) {
      builder.setExporterTimeout(timeout);
    }
    if (meters != null) {
      builder.setMeterProvider(meters);
      builder.setInternalTelemetryVersion(InternalTelemetryVersion.LATEST);
    }
    processor = builder.build();
  }

  /** Takes a sampled span; never blocks. */
  void accept(ReadableSpan span) {
    accepted.incrementAndGet();
    processor.onEnd(span);
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
