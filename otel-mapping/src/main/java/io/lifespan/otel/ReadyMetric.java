package io.lifespan.otel;

import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;

/** A metric as data, with a Resource and times of its own: made, not measured by an instrument. */
record ReadyMetric(Metric metric, Resource resource, MetricDataType type, Data<?> data)
    implements MetricData {

  private static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.create(Semconv.SCOPE);

  /** A sum that goes up and down: always told as it stands. */
  static MetricData longSum(Metric metric, Resource resource, List<LongPointData> points) {
    return new ReadyMetric(
        metric,
        resource,
        MetricDataType.LONG_SUM,
        SumData.createLongSumData(false, AggregationTemporality.CUMULATIVE, points));
  }

  /** A sum that only grows. */
  static MetricData doubleSum(
      Metric metric,
      AggregationTemporality temporality,
      Resource resource,
      List<DoublePointData> points) {
    return new ReadyMetric(
        metric,
        resource,
        MetricDataType.DOUBLE_SUM,
        SumData.createDoubleSumData(true, temporality, points));
  }

  static MetricData doubleGauge(Metric metric, Resource resource, List<DoublePointData> points) {
    return new ReadyMetric(
        metric, resource, MetricDataType.DOUBLE_GAUGE, GaugeData.createDoubleGaugeData(points));
  }

  static MetricData longGauge(Metric metric, Resource resource, List<LongPointData> points) {
    return new ReadyMetric(
        metric, resource, MetricDataType.LONG_GAUGE, GaugeData.createLongGaugeData(points));
  }

  static MetricData histogram(
      Metric metric,
      AggregationTemporality temporality,
      Resource resource,
      List<HistogramPointData> points) {
    return new ReadyMetric(
        metric, resource, MetricDataType.HISTOGRAM, HistogramData.create(temporality, points));
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
  public String getName() {
    return metric.metricName();
  }

  @Override
  public String getDescription() {
    return metric.description();
  }

  @Override
  public String getUnit() {
    return metric.unit();
  }

  @Override
  public MetricDataType getType() {
    return type;
  }

  @Override
  public Data<?> getData() {
    return data;
  }
}
