package io.lifespan.otel;

import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The instruments of one Resource, and its series by executable. */
final class ResourceSeries {

  final DoubleHistogram duration;
  final LongCounter exits;
  final LongCounter forks;
  final LongCounter execs;
  final LongCounter coreDumps;
  final DoubleCounter cpuTime;
  private final Resource resource;
  private final Map<String, ExecutableSeries> series = new ConcurrentHashMap<>();
  private boolean gone;

  ResourceSeries(Resource resource, Meter meter) {
    this.resource = resource;
    duration = Metric.DURATION.histogram(meter);
    exits = Metric.EXITS.counter(meter);
    forks = Metric.FORKS.counter(meter);
    execs = Metric.EXECS.counter(meter);
    coreDumps = Metric.CORE_DUMPS.counter(meter);
    cpuTime = Metric.ENDED_CPU_TIME.doubleCounter(meter);
    Metric.ALIVE.observe(
        meter,
        measurement ->
            series
                .values()
                .forEach(
                    one -> {
                      long alive = one.alive();
                      if (alive > 0) {
                        measurement.record(alive, one.attributes());
                      }
                    }));
  }

  Resource resource() {
    return resource;
  }

  Map<String, ExecutableSeries> series() {
    return series;
  }

  ExecutableSeries of(String name, long nowNanos) {
    return series.computeIfAbsent(name, missing -> new ExecutableSeries(this, missing, nowNanos));
  }

  /** True once its series are no more told: what is measured must be looked up anew. */
  boolean gone() {
    return gone;
  }

  void setGone() {
    gone = true;
  }

  /** True if so many of its series are idle that it is better begun anew. */
  boolean isStale(long idleSinceNanos) {
    long idle = series.values().stream().filter(one -> one.isIdleSince(idleSinceNanos)).count();
    return idle == series.size() || (idle > 8 && idle * 2 > series.size());
  }
}
