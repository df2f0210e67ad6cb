package io.lifespan.collector.export;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessorBuilder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way to one destination: a batch processor of its own, so that one that hangs takes nothing
 * from another. The queue holds a burst of 65,536 spans unless {@code OTEL_BSP_*} say otherwise;
 * all other values are the SDK's.
 */
final class Outlet {
  private static final int QUEUE_SIZE = 65_536;

  private final BatchSpanProcessor processor;
  private final DeliveryCounter counter;
  private final AtomicLong accepted = new AtomicLong();
  private volatile boolean complete;

  Outlet(DeliveryCounter counter, ConfigProperties config) {
    this.counter = counter;
    BatchSpanProcessorBuilder builder = BatchSpanProcessor.builder(counter);
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
    processor = builder.build();
  }

  /** Takes a sampled span; never blocks. */
  void accept(ReadableSpan span) {
    accepted.incrementAndGet();
    processor.onEnd(span);
  }

  CompletableResultCode flush() {
    return processor.forceFlush();
  }

  /** Begins to send what waits. */
  CompletableResultCode shutdown() {
    return processor.shutdown().whenComplete(() -> complete = true);
  }

  void cutOff() {
    counter.cutOff();
  }

  DeliveryReport.Destination report() {
    return counter.report(accepted.get(), complete);
  }
}
