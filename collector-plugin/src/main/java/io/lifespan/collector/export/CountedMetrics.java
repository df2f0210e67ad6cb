package io.lifespan.collector.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.Collection;

/** Sends metrics, and counts what becomes of their data points. */
record CountedMetrics(MetricExporter exporter, DeliveryCounter counter) implements MetricExporter {

  @Override
  public CompletableResultCode export(Collection<MetricData> metrics) {
    int points = metrics.stream().mapToInt(metric -> metric.getData().getPoints().size()).sum();
    return counter.export(points, () -> exporter.export(metrics));
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType type) {
    return exporter.getAggregationTemporality(type);
  }

  @Override
  public Aggregation getDefaultAggregation(InstrumentType type) {
    return exporter.getDefaultAggregation(type);
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
