package io.lifespan.collector;

import com.google.inject.Inject;
import com.google.inject.Provider;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.libc.PageSize;
import io.lifespan.otel.EventLog;
import io.lifespan.otel.HealthMetrics;
import io.lifespan.otel.LogOptions;
import io.lifespan.otel.ProcessLogs;
import io.lifespan.otel.ProcessMetrics;
import io.lifespan.otel.ProcessSpans;
import io.lifespan.otel.ResourceMeters;
import io.lifespan.otel.TopProcesses;
import io.lifespan.otel.TraceScope;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import org.jspecify.annotations.Nullable;

/**
 * Makes the mapping from processes to telemetry as the settings have it: metrics and log events
 * beside spans.
 */
final class MappingSetup {

  private final Settings settings;
  private final SpanSetup setup;
  private final Watch watch;
  private final Provider<ProcReader> readers;
  private final Provider<KernelClock> clocks;

  @Inject
  MappingSetup(
      Settings settings,
      SpanSetup setup,
      Watch watch,
      Provider<ProcReader> readers,
      Provider<KernelClock> clocks) {
    this.settings = settings;
    this.watch = watch;
    this.readers = readers;
    this.clocks = clocks;
    this.setup = setup;
  }

  /**
   * The mapping of one watch.
   *
   * @param service the service.name of processes that neither themselves nor the settings name
   * @param pipeline what brings the events, to be measured too
   */
  Mapping mapping(TraceScope scope, String service, Telemetry telemetry, Pipeline pipeline) {
    ProcessSpans spans = setup.spans(scope, service, telemetry);
    EventLog log = log(telemetry);
    ProcessMetrics metrics = metrics(scope, spans, telemetry);
    if (metrics != null) {
      health(telemetry, pipeline, spans, metrics, log);
    }
    return new Mapping(spans, metrics, log == null ? null : logs(spans, log, telemetry), log);
  }

  private @Nullable ProcessMetrics metrics(
      TraceScope scope, ProcessSpans spans, Telemetry telemetry) {
    ResourceMeters meters = telemetry.meters();
    if (meters == null) {
      return null;
    }
    boolean wholeNode = scope instanceof TraceScope.Node && settings.events().tracksLives();
    ProcessMetrics metrics =
        new ProcessMetrics(settings.metrics(), spans, meters, wholeNode, System.nanoTime());
    new TopProcesses(
            metrics,
            settings.metrics(),
            readers.get(),
            clocks.get().ticksPerSecond(),
            PageSize.bytes(),
            Clock.getDefault()::now)
        .register(meters);
    return metrics;
  }

  private @Nullable EventLog log(Telemetry telemetry) {
    LogRecordProcessor processor = settings.logEvents().isEmpty() ? null : telemetry.logs();
    return processor == null ? null : new EventLog(processor, Clock.getDefault()::now);
  }

  private ProcessLogs logs(ProcessSpans spans, EventLog log, Telemetry telemetry) {
    return new ProcessLogs(
        new LogOptions(settings.logEvents(), settings.trace().longLivedAfter()),
        spans,
        log,
        telemetry.self(),
        new LossCauses(settings)::of,
        Clock.getDefault()::now);
  }

  private void health(
      Telemetry telemetry,
      Pipeline pipeline,
      ProcessSpans spans,
      ProcessMetrics metrics,
      @Nullable EventLog log) {
    ResourceMeters meters = telemetry.meters();
    if (meters == null) {
      return;
    }
    HealthMetrics health = new HealthMetrics(meters.meter(telemetry.self()));
    health.events(watch.sources());
    health.queue(pipeline::waiting, settings.queueSize(), pipeline::refused, watch.sources());
    health.table(metrics::tableStats);
    health.spans(spans::stats);
    health.metrics(metrics);
    if (log != null) {
      health.logs(log::records);
    }
  }
}
