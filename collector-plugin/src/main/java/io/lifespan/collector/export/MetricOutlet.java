package io.lifespan.collector.export;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReaderBuilder;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of metrics to one destination: collects and sends them every minute unless {@code
 * OTEL_METRIC_EXPORT_INTERVAL} says otherwise, and once more at the end.
 */
final class MetricOutlet implements Outlet {
  private final SdkMeterProvider provider;
  private final CountedMetrics exporter;

  /**
   * @param producer gives all there is to tell
   * @param self Lifespan's own Resource, which what the reader measures of itself belongs to
   */
  MetricOutlet(
      CountedMetrics exporter, ConfigProperties config, MetricProducer producer, Resource self) {
    this.exporter = exporter;
    PeriodicMetricReaderBuilder reader = PeriodicMetricReader.builder(exporter);
    Duration interval = config.getDuration("otel.metric.export.interval");
    if (interval != null) {
      reader.setInterval(interval);
    }
    Duration timeout = config.getDuration("otel.metric.export.timeout");
    if (timeout != null) {
      reader.setExporterTimeout(timeout);
    }
    provider =
        SdkMeterProvider.builder()
            .setResource(self)
            .registerMetricReader(reader.build())
            .registerMetricProducer(producer)
            .build();
  }

  @Override
  public CompletableResultCode probe() {
    return exporter.export(List.of());
  }

  @Override
  public CompletableResultCode flush() {
    return provider.forceFlush();
  }

  /**
   * The SDK's reader waits in its shutdown, up to 5 s for the last export alone, so that is done on
   * a thread that nobody waits for: the limit is the caller's.
   */
  @Override
  public CompletableResultCode shutdown() {
    CompletableResultCode closed = new CompletableResultCode();
    Thread closing = new Thread(() -> close(closed), "lifespan-metrics-close");
    closing.setDaemon(true);
    closing.start();
    return closed;
  }

  private void close(CompletableResultCode closed) {
    CompletableResultCode result = provider.shutdown();
    result.whenComplete(
        () -> {
          if (result.isSuccess()) {
            closed.succeed();
          } else {
            closed.fail();
          }
        });
  }

  @Override
  public void cutOff() {
    exporter.counter().cutOff();
    exporter.shutdown();
  }

  @Override
  public DeliveryReport.Destination report() {
    return exporter.counter().report(exporter.counter().handedOver(), true);
  }

  @Override
  public @Nullable String failing() {
    return exporter.counter().failing();
  }
}
