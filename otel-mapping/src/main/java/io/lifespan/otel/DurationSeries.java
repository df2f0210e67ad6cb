package io.lifespan.otel;

import io.lifespan.event.blocking.Latencies;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of durations that are counted elsewhere, for one destination. A series lasts as long
 * as something counts in it. Not thread-safe.
 */
final class DurationSeries {

  private static final List<Double> BOUNDARIES = boundaries();

  private final Metric metric;
  private final boolean delta;
  private final Map<Object, Latencies> before = new HashMap<>();
  private final Map<Attributes, Series> series = new HashMap<>();
  private long lastEpochNanos;

  DurationSeries(Metric metric, boolean delta, long sinceEpochNanos) {
    this.metric = metric;
    this.delta = delta;
    this.lastEpochNanos = sinceEpochNanos;
  }

  /**
   * What was counted at one place since it began to.
   *
   * @param place told apart from all others, also from those of the same series
   */
  record Counted(Object place, Attributes attributes, Latencies latencies) {}

  /** Tells what was counted, all that there is; no metric if that is nothing. */
  List<MetricData> tell(List<Counted> all, Resource resource, long epochNanos) {
    Set<Object> places = new HashSet<>();
    Set<Attributes> used = new HashSet<>();
    for (Counted one : all) {
      places.add(one.place());
      used.add(one.attributes());
      Latencies last = before.put(one.place(), one.latencies());
      boolean goesOn = last != null && last.count() <= one.latencies().count();
      series
          .computeIfAbsent(one.attributes(), made -> new Series(lastEpochNanos))
          .add(one.latencies(), goesOn ? last : null);
    }
    before.keySet().retainAll(places);
    series.keySet().retainAll(used);
    List<HistogramPointData> points = new ArrayList<>();
    series.forEach((attributes, one) -> points.add(one.point(attributes, epochNanos)));
    if (delta) {
      series.values().forEach(one -> one.restart(epochNanos));
    }
    lastEpochNanos = epochNanos;
    return points.isEmpty()
        ? List.of()
        : List.of(
            ReadyMetric.histogram(
                metric,
                delta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
                resource,
                points));
  }

  private static List<Double> boundaries() {
    List<Double> boundaries = new ArrayList<>();
    for (int bucket = 0; bucket < Latencies.BUCKETS - 1; bucket++) {
      boundaries.add(BlockingAttributes.seconds(Latencies.upperBoundNanos(bucket)));
    }
    return List.copyOf(boundaries);
  }

  private static final class Series {
    private final long[] counts = new long[Latencies.BUCKETS];
    private long totalNanos;
    private long startEpochNanos;

    Series(long startEpochNanos) {
      this.startEpochNanos = startEpochNanos;
    }

    void add(Latencies now, @Nullable Latencies last) {
      for (int bucket = 0; bucket < counts.length; bucket++) {
        counts[bucket] += now.count(bucket) - (last == null ? 0 : last.count(bucket));
      }
      totalNanos += now.totalNanos() - (last == null ? 0 : last.totalNanos());
    }

    HistogramPointData point(Attributes attributes, long epochNanos) {
      List<Long> told = new ArrayList<>(counts.length);
      for (long count : counts) {
        told.add(count);
      }
      return HistogramPointData.create(
          startEpochNanos,
          epochNanos,
          attributes,
          BlockingAttributes.seconds(totalNanos),
          false,
          0,
          false,
          0,
          BOUNDARIES,
          told);
    }

    void restart(long epochNanos) {
      Arrays.fill(counts, 0);
      totalNanos = 0;
      startEpochNanos = epochNanos;
    }
  }
}
