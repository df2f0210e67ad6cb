package io.lifespan.otel;

import io.lifespan.event.EventSource;
import io.lifespan.event.ProcessEvent;
import io.lifespan.process.TableStats;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import java.util.Collection;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How Lifespan itself fares, so that nothing is lost unnoticed: events, queue, ledger, table,
 * spans. Belongs to a Resource of its own, never to that of what is observed.
 */
public final class HealthMetrics {

  private final Meter meter;

  /**
   * @param meter of Lifespan's own Resource
   */
  public HealthMetrics(Meter meter) {
    this.meter = meter;
  }

  /** What sources got, lost, and did not understand. */
  public void events(Collection<EventSource> sources) {
    Metric.EVENTS_RECEIVED.observe(
        meter,
        measurement ->
            sources.forEach(
                source ->
                    source
                        .stats()
                        .byKind()
                        .forEach(
                            (kind, count) ->
                                measurement.record(
                                    count,
                                    Attributes.of(
                                        Semconv.SOURCE, source.name(),
                                        Semconv.EVENT, kind.settingName())))));
    Metric.EVENTS_MALFORMED.observe(
        meter,
        measurement ->
            sources.forEach(
                source ->
                    measurement.record(
                        source.stats().malformed(), Attributes.of(Semconv.SOURCE, source.name()))));
  }

  /**
   * What the queue before the process table holds.
   *
   * @param refused events lost since it was full
   */
  public void queue(
      LongSupplier waiting, long capacity, LongSupplier refused, Collection<EventSource> sources) {
    Metric.QUEUE_SIZE.observe(meter, measurement -> measurement.record(waiting.getAsLong()));
    Metric.QUEUE_CAPACITY.observe(meter, measurement -> measurement.record(capacity));
    Metric.EVENTS_LOST.observe(
        meter,
        measurement -> {
          sources.forEach(
              source ->
                  measurement.record(
                      source.stats().lost(),
                      Attributes.of(
                          Semconv.SOURCE, source.name(),
                          Semconv.LOSS_PLACE, word(ProcessEvent.Loss.Where.RECEIVE_BUFFER))));
          measurement.record(
              refused.getAsLong(),
              Attributes.of(Semconv.LOSS_PLACE, word(ProcessEvent.Loss.Where.QUEUE)));
        });
  }

  /**
   * The ledger of the process table, and how often it knew what an event was about.
   *
   * @param stats gives the last known counters; null before there are any
   */
  public void table(Supplier<@Nullable TableStats> stats) {
    ledger(Metric.LEDGER_STARTED, stats, TableStats::started);
    ledger(Metric.LEDGER_ENDED, stats, TableStats::ended);
    ledger(Metric.LEDGER_ALIVE, stats, TableStats::alive);
    ledger(Metric.LEDGER_LOST, stats, TableStats::lost);
    ledger(Metric.CACHE_EVICTED, stats, TableStats::evicted);
    ledger(Metric.CACHE_RESYNCS, stats, TableStats::resyncs);
    Metric.CACHE_LOOKUPS.observe(
        meter,
        measurement -> {
          TableStats now = stats.get();
          if (now != null) {
            measurement.record(now.hits(), outcome("hit"));
            measurement.record(now.misses(), outcome("miss"));
            measurement.record(now.late(), outcome("late"));
            measurement.record(now.outOfScope(), outcome("out_of_scope"));
          }
        });
  }

  /** What became of spans. */
  public void spans(Supplier<SpanStats> stats) {
    Metric.SPANS.observe(
        meter,
        measurement -> {
          SpanStats now = stats.get();
          measurement.record(now.exported(), outcome("exported"));
          measurement.record(now.unsampled(), outcome("unsampled"));
          measurement.record(now.leftOut(), outcome("left_out"));
          measurement.record(now.kernelThreads(), outcome("kernel_thread"));
          measurement.record(now.expired(), outcome("expired"));
          measurement.record(now.evicted(), outcome("evicted"));
          measurement.record(now.failed(), outcome("failed"));
        });
    Metric.REDACTIONS.observe(meter, measurement -> measurement.record(stats.get().redactions()));
  }

  /** The log events made. */
  public void logs(LongSupplier records) {
    Metric.LOG_RECORDS.observe(meter, measurement -> measurement.record(records.getAsLong()));
  }

  /** What bounds the series of metrics. */
  public void metrics(ProcessMetrics metrics) {
    Metric.METRIC_RESOURCES.observe(meter, measurement -> measurement.record(metrics.resources()));
    Metric.METRIC_EXECUTABLES.observe(
        meter, measurement -> measurement.record(metrics.executables()));
  }

  private interface Counter {
    long of(TableStats stats);
  }

  private void ledger(Metric metric, Supplier<@Nullable TableStats> stats, Counter counter) {
    metric.observe(
        meter,
        measurement -> {
          TableStats now = stats.get();
          if (now != null) {
            measurement.record(counter.of(now));
          }
        });
  }

  static String word(ProcessEvent.Loss.Where where) {
    return where.name().toLowerCase(Locale.ROOT);
  }

  private static Attributes outcome(String outcome) {
    return Attributes.of(Semconv.OUTCOME, outcome);
  }
}
