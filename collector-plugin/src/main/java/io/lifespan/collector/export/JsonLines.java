package io.lifespan.collector.export;

import io.lifespan.collector.config.Signal;
import io.opentelemetry.exporter.internal.ExporterBuilderUtil;
import io.opentelemetry.exporter.internal.otlp.logs.LogsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.metrics.MetricsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes telemetry to files: OTLP JSON, one request a line, the file format of the specification
 * "OpenTelemetry Protocol File Exporter". The only class that uses the SDK's (internal) JSON
 * marshalers.
 */
final class JsonLines {
  private static final String SUFFIX = ".jsonl";

  private JsonLines() {}

  /** Spans into {@code traces.jsonl} of a directory, which is made if it is not there. */
  static SpanExporter spans(Path directory) throws IOException {
    return new Spans(open(directory, Signal.TRACES));
  }

  /** Metrics into {@code metrics.jsonl}, told since when OpenTelemetry's setting says. */
  static MetricExporter metrics(Path directory, ConfigProperties config) throws IOException {
    List<AggregationTemporalitySelector> chosen = new ArrayList<>();
    ExporterBuilderUtil.configureOtlpAggregationTemporality(config, chosen::add);
    return new Metrics(
        open(directory, Signal.METRICS),
        chosen.isEmpty() ? AggregationTemporalitySelector.alwaysCumulative() : chosen.get(0));
  }

  /** Log events into {@code logs.jsonl}. */
  static LogRecordExporter logs(Path directory) throws IOException {
    return new Logs(open(directory, Signal.LOGS));
  }

  static Failure explain(@Nullable Throwable thrown) {
    String cause =
        thrown == null || thrown.getMessage() == null ? "the write failed" : thrown.getMessage();
    return new Failure(cause, "make room or name another directory with --otlp-dir", false);
  }

  private static JsonLinesFile open(Path directory, Signal signal) throws IOException {
    return JsonLinesFile.open(directory, signal.settingName() + SUFFIX);
  }

  private record Spans(JsonLinesFile file) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return spans.isEmpty()
          ? CompletableResultCode.ofSuccess()
          : file.append(TraceRequestMarshaler.create(spans)::writeJsonTo);
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return file.close();
    }
  }

  private record Metrics(JsonLinesFile file, AggregationTemporalitySelector temporality)
      implements MetricExporter {
    @Override
    public CompletableResultCode export(Collection<MetricData> metrics) {
      return metrics.isEmpty()
          ? CompletableResultCode.ofSuccess()
          : file.append(MetricsRequestMarshaler.create(metrics)::writeJsonTo);
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return temporality.getAggregationTemporality(type);
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return file.close();
    }
  }

  private record Logs(JsonLinesFile file) implements LogRecordExporter {
    @Override
    public CompletableResultCode export(Collection<LogRecordData> logs) {
      return logs.isEmpty()
          ? CompletableResultCode.ofSuccess()
          : file.append(LogsRequestMarshaler.create(logs)::writeJsonTo);
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return file.close();
    }
  }
}
