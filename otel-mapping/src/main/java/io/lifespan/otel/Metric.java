package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_CPU_TIME_DESCRIPTION;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_CPU_TIME_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_CPU_TIME_UNIT;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_MEMORY_USAGE_DESCRIPTION;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_MEMORY_USAGE_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_MEMORY_USAGE_UNIT;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_THREAD_COUNT_DESCRIPTION;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_THREAD_COUNT_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_THREAD_COUNT_UNIT;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_UPTIME_DESCRIPTION;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_UPTIME_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingMetrics.PROCESS_UPTIME_UNIT;
import static io.opentelemetry.semconv.incubating.SystemIncubatingMetrics.SYSTEM_PROCESS_COUNT_DESCRIPTION;
import static io.opentelemetry.semconv.incubating.SystemIncubatingMetrics.SYSTEM_PROCESS_COUNT_NAME;
import static io.opentelemetry.semconv.incubating.SystemIncubatingMetrics.SYSTEM_PROCESS_COUNT_UNIT;
import static io.opentelemetry.semconv.incubating.SystemIncubatingMetrics.SYSTEM_PROCESS_CREATED_DESCRIPTION;
import static io.opentelemetry.semconv.incubating.SystemIncubatingMetrics.SYSTEM_PROCESS_CREATED_NAME;
import static io.opentelemetry.semconv.incubating.SystemIncubatingMetrics.SYSTEM_PROCESS_CREATED_UNIT;

import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.function.Consumer;

/** Every metric that Lifespan makes itself: one place for names, units and kinds. */
public enum Metric {
  SYSTEM_CREATED(
      SYSTEM_PROCESS_CREATED_NAME,
      Kind.COUNTER,
      SYSTEM_PROCESS_CREATED_UNIT,
      SYSTEM_PROCESS_CREATED_DESCRIPTION),
  SYSTEM_COUNT(
      SYSTEM_PROCESS_COUNT_NAME,
      Kind.UP_DOWN_COUNTER,
      SYSTEM_PROCESS_COUNT_UNIT,
      SYSTEM_PROCESS_COUNT_DESCRIPTION),
  DURATION(
      "lifespan.process.duration",
      Kind.HISTOGRAM,
      "s",
      "How long processes lived, from fork to the end of the last thread."),
  EXITS("lifespan.process.exits", Kind.COUNTER, "{process}", "Processes that ended."),
  FORKS(
      "lifespan.process.forks", Kind.COUNTER, "{process}", "Processes that processes of it made."),
  EXECS("lifespan.process.execs", Kind.COUNTER, "{exec}", "Times that the program was executed."),
  CORE_DUMPS(
      "lifespan.process.coredumps", Kind.COUNTER, "{process}", "Processes that dumped core."),
  ENDED_CPU_TIME(
      "lifespan.process.cpu.time",
      Kind.COUNTER,
      "s",
      "Time on a CPU of processes that ended, from their start to their end."),
  ALIVE("lifespan.process.alive", Kind.UP_DOWN_COUNTER, "{process}", "Processes alive."),
  CPU_TIME(
      PROCESS_CPU_TIME_NAME, Kind.COUNTER, PROCESS_CPU_TIME_UNIT, PROCESS_CPU_TIME_DESCRIPTION),
  MEMORY(
      PROCESS_MEMORY_USAGE_NAME,
      Kind.UP_DOWN_COUNTER,
      PROCESS_MEMORY_USAGE_UNIT,
      PROCESS_MEMORY_USAGE_DESCRIPTION),
  THREADS(
      PROCESS_THREAD_COUNT_NAME,
      Kind.UP_DOWN_COUNTER,
      PROCESS_THREAD_COUNT_UNIT,
      PROCESS_THREAD_COUNT_DESCRIPTION),
  UPTIME(PROCESS_UPTIME_NAME, Kind.GAUGE, PROCESS_UPTIME_UNIT, PROCESS_UPTIME_DESCRIPTION),

  BLOCKED_TASKS(
      "lifespan.blocked.tasks",
      Kind.GAUGE,
      "{thread}",
      "Threads that are blocked in calls about files or in uninterruptible sleep."),
  BLOCKED_DURATION(
      "lifespan.blocked.duration",
      Kind.HISTOGRAM,
      "s",
      "How long threads were blocked that run again."),
  MOUNT_STATUS("lifespan.mount.status", Kind.GAUGE, "{mount}", "Mounts, by how they fare."),
  MOUNT_AGE("lifespan.mount.state.age", Kind.GAUGE, "s", "Since when a mount fares so."),
  MOUNT_PROBE(
      "lifespan.mount.probe.duration",
      Kind.HISTOGRAM,
      "s",
      "How long mounts took to answer to statfs() and stat()."),
  FILE_CALLS(
      "lifespan.file.call.duration",
      Kind.HISTOGRAM,
      "s",
      "How long other calls of Lifespan's own took that may block."),

  EVENTS_RECEIVED(
      "lifespan.events.received", Kind.COUNTER, "{event}", "Events that a source handed over."),
  EVENTS_LOST(
      "lifespan.events.lost", Kind.COUNTER, "{event}", "Events lost for want of room, exactly."),
  EVENTS_MALFORMED(
      "lifespan.events.malformed",
      Kind.COUNTER,
      "{event}",
      "Messages of a source that were not understood and skipped."),
  QUEUE_SIZE(
      "lifespan.queue.size",
      Kind.UP_DOWN_COUNTER,
      "{event}",
      "Events that wait for the process table."),
  QUEUE_CAPACITY(
      "lifespan.queue.capacity",
      Kind.UP_DOWN_COUNTER,
      "{event}",
      "Events that can wait for the process table before more are lost."),
  LEDGER_STARTED(
      "lifespan.ledger.started", Kind.COUNTER, "{process}", "Processes that became known."),
  LEDGER_ENDED("lifespan.ledger.ended", Kind.COUNTER, "{process}", "Processes whose end was seen."),
  LEDGER_ALIVE("lifespan.ledger.alive", Kind.UP_DOWN_COUNTER, "{process}", "Processes alive now."),
  LEDGER_LOST(
      "lifespan.ledger.lost",
      Kind.COUNTER,
      "{process}",
      "Processes that were found to have vanished: their end was only concluded."),
  CACHE_LOOKUPS(
      "lifespan.cache.lookups",
      Kind.COUNTER,
      "{event}",
      "Events by whether the process table knew their process."),
  CACHE_EVICTED(
      "lifespan.cache.evicted",
      Kind.COUNTER,
      "{process}",
      "Ended processes forgotten early, since there were too many."),
  CACHE_RESYNCS(
      "lifespan.cache.resyncs",
      Kind.COUNTER,
      "{resync}",
      "Times that the process table was repaired from /proc."),
  SPANS(
      "lifespan.spans", Kind.COUNTER, "{process}", "Ended processes by what became of their span."),
  REDACTIONS("lifespan.redactions", Kind.COUNTER, "{secret}", "Secrets masked."),
  LOG_RECORDS("lifespan.log.records", Kind.COUNTER, "{record}", "Log events made."),
  METRIC_RESOURCES(
      "lifespan.metrics.resources",
      Kind.UP_DOWN_COUNTER,
      "{resource}",
      "Services, containers and units that have metrics of their own."),
  METRIC_EXECUTABLES(
      "lifespan.metrics.executables",
      Kind.UP_DOWN_COUNTER,
      "{executable}",
      "Names of executables that are kept apart in metrics.");

  /** The instrument, by OpenTelemetry's name for it. */
  public enum Kind {
    COUNTER("Counter"),
    UP_DOWN_COUNTER("UpDownCounter"),
    GAUGE("Gauge"),
    HISTOGRAM("Histogram");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  private final String metricName;
  private final Kind kind;
  private final String unit;
  private final String description;

  Metric(String metricName, Kind kind, String unit, String description) {
    this.metricName = metricName;
    this.kind = kind;
    this.unit = unit;
    this.description = description;
  }

  /** The name under which it is exported. */
  public String metricName() {
    return metricName;
  }

  public Kind kind() {
    return kind;
  }

  /** The unit, as UCUM writes it. */
  public String unit() {
    return unit;
  }

  public String description() {
    return description;
  }

  LongCounter counter(Meter meter) {
    return meter.counterBuilder(metricName).setUnit(unit).setDescription(description).build();
  }

  DoubleCounter doubleCounter(Meter meter) {
    return meter
        .counterBuilder(metricName)
        .ofDoubles()
        .setUnit(unit)
        .setDescription(description)
        .build();
  }

  DoubleHistogram histogram(Meter meter) {
    return meter.histogramBuilder(metricName).setUnit(unit).setDescription(description).build();
  }

  /** A sum that is asked for when it is needed. */
  void observe(Meter meter, Consumer<ObservableLongMeasurement> callback) {
    if (kind == Kind.COUNTER) {
      meter
          .counterBuilder(metricName)
          .setUnit(unit)
          .setDescription(description)
          .buildWithCallback(callback);
    } else {
      meter
          .upDownCounterBuilder(metricName)
          .setUnit(unit)
          .setDescription(description)
          .buildWithCallback(callback);
    }
  }
}
