package io.lifespan.collector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import io.lifespan.collector.config.Profile;
import io.lifespan.collector.config.Settings;
import io.lifespan.collector.export.Telemetry;
import io.lifespan.collector.testing.Program;
import io.lifespan.event.EventSource;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.otel.ProcessSpans;
import io.lifespan.otel.TraceIdentity;
import io.lifespan.otel.TraceScope;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcessKey;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableOptions;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Steps of the wall clock while processes are watched: the whole way from the running kernel to the
 * exported spans, but for the clock, which is asked through what the table is given for it. The
 * machine's own clock is not touched: every other program on it would be hit.
 */
class ClockStepIT {

  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir Path directory;
  private volatile long stepNanos;

  private KernelClock clock() {
    KernelClock real = SystemClock.measure();
    return new KernelClock(
        real.monotonicToEpochNanos() + stepNanos,
        real.monotonicToBootNanos(),
        real.ticksPerSecond());
  }

  @ParameterizedTest
  @ValueSource(ints = {3_600, -3_600})
  void aStepMovesNoIdAndNoStartAndNoEndComesBeforeItsStart(int seconds) throws Exception {
    Settings settings =
        Settings.load(
            Profile.AGENT,
            Map.of("lifespan.otlp.dir", directory.toString(), "otel.traces.exporter", "none"));
    Injector injector = CollectorModule.injector(settings);
    Telemetry telemetry = Telemetry.open(settings);
    Watch watch =
        new Watch(
            settings,
            injector.getInstance(Key.get(new TypeLiteral<Set<EventSource>>() {})),
            ProcFsReader::new,
            this::clock);
    watch.open(ExitCodes.FAILED);
    ProcessSpans spans =
        injector
            .getInstance(SpanSetup.class)
            .spans(new TraceScope.Node(System.nanoTime()), "clock-step", telemetry);
    ProcessTable table = watch.table(TableOptions.Scope.NODE, List.of(spans));
    Pipeline pipeline = watch.read(() -> {});
    table.populate(System.nanoTime());
    pipeline.consume(new TableConsumer(table));

    Process across = new ProcessBuilder("sh", "-c", "read line; exit 3").start();
    Instant before = Instant.now();
    long pid = across.pid();
    ProcStat stat = ProcStat.parse(new ProcFsReader().readStat((int) pid).get(ProcFile.STAT));
    assertThat(pipeline.awaitUntil(() -> table.find((int) pid) != null, BOUND)).isTrue();
    stepNanos = TimeUnit.SECONDS.toNanos(seconds);
    long after = startedOnSteppedClock(pipeline, table, seconds);
    across.getOutputStream().write('\n');
    across.getOutputStream().close();
    assertThat(across.waitFor()).isEqualTo(3);
    assertThat(pipeline.awaitUntil(() -> table.find((int) pid) == null, BOUND)).isTrue();
    pipeline.close();
    table.settleAll();
    telemetry.shutdown(BOUND);

    JsonObject span = spanOf(pid);
    assertThat(span.get("spanId").getAsString())
        .isEqualTo(
            injector
                .getInstance(TraceIdentity.class)
                .spanId(new ProcessKey((int) pid, stat.startTicks())));
    assertThat(Duration.between(start(span), before).abs()).isLessThan(BOUND);
    assertThat(Duration.between(start(span), end(span))).isBetween(Duration.ZERO, BOUND);
    assertThat(Program.attribute(span, "process.exit.code")).isEqualTo("3");
    assertThat(Duration.between(start(spanOf(after)), before.plusSeconds(seconds)).abs())
        .isLessThan(BOUND);
    assertThat(Program.spans(directory))
        .allSatisfy(each -> assertThat(end(each)).isAfterOrEqualTo(start(each)));
  }

  /** Starts processes until one is dated by the stepped clock; that one's pid. */
  private static long startedOnSteppedClock(Pipeline pipeline, ProcessTable table, int seconds)
      throws Exception {
    Duration toStep = Duration.ofSeconds(seconds);
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (System.nanoTime() < deadline) {
      Process process = new ProcessBuilder("sh", "-c", "read line").start();
      int pid = (int) process.pid();
      long[] start = {0};
      assertThat(pipeline.awaitUntil(() -> table.find(pid) != null, BOUND)).isTrue();
      pipeline.call(() -> start[0] = table.find(pid).startEpochNanos(), BOUND);
      process.getOutputStream().close();
      process.waitFor();
      Duration off = Duration.between(Instant.now(), Instant.ofEpochSecond(0, start[0]));
      if (off.minus(toStep).abs().compareTo(BOUND) < 0) {
        return pid;
      }
    }
    throw new AssertionError("the table never followed the clock");
  }

  private JsonObject spanOf(long pid) throws Exception {
    return Program.spans(directory).stream()
        .filter(span -> Long.toString(pid).equals(Program.attribute(span, "process.pid")))
        .findAny()
        .orElseThrow();
  }

  private static Instant start(JsonObject span) {
    return Instant.ofEpochSecond(0, span.get("startTimeUnixNano").getAsLong());
  }

  private static Instant end(JsonObject span) {
    return Instant.ofEpochSecond(0, span.get("endTimeUnixNano").getAsLong());
  }
}
