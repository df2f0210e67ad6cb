package io.lifespan.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A {@link Watch} whose processes are measured for one destination. */
final class Measured {

  final Watch watch;
  final ResourceMeters meters;
  final MetricOptions options;
  ProcessMetrics metrics;

  Measured(MetricOptions options, AggregationTemporalitySelector temporality) {
    this(options, temporality, Watch.node());
  }

  Measured(
      MetricOptions options, AggregationTemporalitySelector temporality, SpanOptions spanOptions) {
    this.options = options;
    meters = new ResourceMeters(List.of(temporality), options);
    watch =
        new Watch(
            spanOptions,
            spans -> {
              boolean node = spanOptions.scope() instanceof TraceScope.Node;
              metrics = new ProcessMetrics(options, spans, meters, node, Watch.nanos(Watch.BEGIN));
              return List.of(metrics);
            });
  }

  static Measured cumulative() {
    return new Measured(
        MetricOptions.defaults(), AggregationTemporalitySelector.alwaysCumulative());
  }

  static Measured delta() {
    return new Measured(MetricOptions.defaults(), AggregationTemporalitySelector.deltaPreferred());
  }

  /** Everything that is told now. */
  Collection<MetricData> collect() {
    watch.table.settleAll();
    return meters.producer(0).produce(Resource.empty());
  }

  /** As {@link #collect}, after a look at the living. */
  Collection<MetricData> collect(long millis) {
    watch.table.settleAll();
    metrics.refresh(watch.table, Watch.nanos(millis));
    return collect();
  }

  /** The points of a metric: attributes as text to value, or to the count of a histogram. */
  static Map<String, Double> points(Collection<MetricData> collected, Metric metric) {
    Map<String, Double> points = new TreeMap<>();
    of(collected, metric)
        .flatMap(data -> data.getData().getPoints().stream())
        .forEach(point -> points.merge(text(point.getAttributes()), value(point), Double::sum));
    return points;
  }

  static Stream<MetricData> of(Collection<MetricData> collected, Metric metric) {
    return collected.stream().filter(data -> data.getName().equals(metric.metricName()));
  }

  private static double value(PointData point) {
    if (point instanceof LongPointData number) {
      return number.getValue();
    }
    if (point instanceof DoublePointData number) {
      return number.getValue();
    }
    return ((io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData) point).getCount();
  }

  /** For example {@code sh SIGKILL}. */
  private static String text(Attributes attributes) {
    return String.join(
        " ",
        new TreeMap<>(
                Map.of(
                    1, attribute(attributes, "process.executable.name"),
                    2, attribute(attributes, "error.type"),
                    3, attribute(attributes, "process.state"),
                    4, attribute(attributes, "cpu.mode")))
            .values().stream().filter(word -> !word.isEmpty()).toList());
  }

  private static String attribute(Attributes attributes, String name) {
    Object value = attributes.asMap().get(io.opentelemetry.api.common.AttributeKey.stringKey(name));
    return value == null ? "" : value.toString();
  }
}
