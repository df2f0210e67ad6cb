package io.lifespan.bench;

import io.lifespan.otel.EventLog;
import io.lifespan.otel.LogOptions;
import io.lifespan.otel.LossCause;
import io.lifespan.otel.MetricOptions;
import io.lifespan.otel.ProcessLogs;
import io.lifespan.otel.ProcessMetrics;
import io.lifespan.otel.ProcessResources;
import io.lifespan.otel.ProcessSpans;
import io.lifespan.otel.Redactor;
import io.lifespan.otel.ResourceMeters;
import io.lifespan.otel.SpanOptions;
import io.lifespan.otel.TraceIdentity;
import io.lifespan.process.LifecycleListener;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.logs.ReadWriteLogRecord;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to map a life, from fork and exec to exit: the difference to the table alone. With
 * {@code -prof gc} also the garbage.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class MappingBenchmark {

  private static final int SUCCESS = 0;
  private static final int FAILURE = 2 << 8;

  private final Lives table = new Lives();
  private final Lives spans = lives(false, false);
  private final Lives metrics = lives(true, false);
  private final Lives all = lives(true, true);

  @Benchmark
  public void tableAlone() {
    live(table, SUCCESS);
  }

  @Benchmark
  public void spans() {
    live(spans, SUCCESS);
  }

  @Benchmark
  public void spansAndMetrics() {
    live(metrics, SUCCESS);
  }

  @Benchmark
  public void spansMetricsAndLogEventOfAFailure() {
    live(all, FAILURE);
  }

  private static void live(Lives lives, int status) {
    int pid = lives.fork();
    lives.exec(pid);
    lives.exit(pid, status);
  }

  private static Lives lives(boolean withMetrics, boolean withLogs) {
    SpanOptions options = SpanOptions.node(0, "node");
    Sink sink = new Sink();
    ProcessSpans spans =
        new ProcessSpans(
            options,
            new TraceIdentity("boot"),
            new ProcessResources(Resource.builder().put("host.name", "here").build(), options),
            new Redactor(Redactor.DEFAULT_MASK),
            uid -> null,
            sink);
    List<LifecycleListener> listeners = new ArrayList<>();
    listeners.add(spans);
    if (withMetrics) {
      MetricOptions metrics = MetricOptions.defaults();
      ResourceMeters meters =
          new ResourceMeters(List.of(AggregationTemporalitySelector.alwaysCumulative()), metrics);
      listeners.add(new ProcessMetrics(metrics, spans, meters, true, 0));
    }
    if (withLogs) {
      listeners.add(
          new ProcessLogs(
              new LogOptions(LogOptions.DEFAULT_EVENTS, Duration.ofSeconds(60)),
              spans,
              new EventLog(sink, () -> 0),
              Resource.empty(),
              where -> new LossCause("", "", 0, ""),
              () -> 0));
    }
    return new Lives(listeners.toArray(new LifecycleListener[0]));
  }

  /** Takes everything, keeps nothing but the last. */
  private static final class Sink implements SpanProcessor, LogRecordProcessor {
    private Object last = this;

    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      last = span;
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }

    @Override
    public void onEmit(Context context, ReadWriteLogRecord event) {
      last = event;
    }

    @Override
    public io.opentelemetry.sdk.common.CompletableResultCode shutdown() {
      return io.opentelemetry.sdk.common.CompletableResultCode.ofSuccess();
    }

    @Override
    public io.opentelemetry.sdk.common.CompletableResultCode forceFlush() {
      return io.opentelemetry.sdk.common.CompletableResultCode.ofSuccess();
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return last.toString();
    }
  }
}
