package io.lifespan.otel;

import static io.lifespan.otel.Measured.points;
import static io.lifespan.otel.Watch.BEGIN;
import static io.lifespan.otel.Watch.nanos;
import static io.opentelemetry.semconv.incubating.CpuIncubatingAttributes.CPU_MODE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.ResourceUsage;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.semconv.ServiceAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is counted of processes, under which names, and what bounds it. */
class ProcessMetricsTest {

  private static final long MINUTE = 60_000;

  private final Measured measured = Measured.cumulative();
  private final Watch watch = measured.watch;

  @Test
  void aLifeIsCountedUnderTheNameOfItsExecutable() {
    watch.finds(9, 1, 0, "bash").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "make").exit(BEGIN + 1_510, 20, 2 << 8);

    Collection<MetricData> told = measured.collect();
    assertThat(points(told, Metric.FORKS)).isEqualTo(Map.of("bash", 1.0));
    assertThat(points(told, Metric.EXECS)).isEqualTo(Map.of("make", 1.0));
    assertThat(points(told, Metric.EXITS)).isEqualTo(Map.of("make 2", 1.0));
    assertThat(points(told, Metric.CORE_DUMPS)).isEmpty();
    assertThat(points(told, Metric.SYSTEM_CREATED)).isEqualTo(Map.of("", 1.0));
    MetricData duration = Measured.of(told, Metric.DURATION).findFirst().orElseThrow();
    assertThat(duration.getUnit()).isEqualTo("s");
    assertThat(duration.getType()).isEqualTo(MetricDataType.EXPONENTIAL_HISTOGRAM);
    assertThat(duration.getExponentialHistogramData().getPoints())
        .singleElement()
        .satisfies(point -> assertThat(point.getSum()).isEqualTo(1.5));
  }

  @Test
  void anExemplarLeadsToTheSpan() {
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "make").exit(BEGIN + 50, 20, 0);

    ExponentialHistogramPointData point =
        Measured.of(measured.collect(), Metric.DURATION)
            .findFirst()
            .orElseThrow()
            .getExponentialHistogramData()
            .getPoints()
            .iterator()
            .next();
    assertThat(point.getExemplars())
        .singleElement()
        .satisfies(
            exemplar -> {
              assertThat(exemplar.getSpanContext().getTraceId())
                  .isEqualTo(watch.span(20).getSpanContext().getTraceId());
              assertThat(exemplar.getSpanContext().getSpanId())
                  .isEqualTo(watch.span(20).getSpanContext().getSpanId());
            });
  }

  @Test
  void aProcessWithoutASpanGetsNoExemplar() {
    Measured onlyFailed =
        new Measured(
            MetricOptions.defaults(),
            AggregationTemporalitySelector.alwaysCumulative(),
            Watch.node()
                .withRules(
                    new SpanRules(
                        true,
                        SpanRules.ALL.minDuration(),
                        SpanRules.ALL.record(),
                        SpanRules.ALL.maxRecorded(),
                        false)));
    onlyFailed.watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "a").exit(BEGIN + 5, 20, 0);

    assertThat(
            Measured.of(onlyFailed.collect(), Metric.DURATION)
                .flatMap(data -> data.getData().getPoints().stream())
                .flatMap(point -> point.getExemplars().stream()))
        .isEmpty();
  }

  @Test
  void aSignalIsTheErrorAndACoreIsCounted() {
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "a").exit(BEGIN + 5, 20, 9);
    watch.fork(BEGIN, 99, 21).exec(BEGIN + 1, 21, "a").exit(BEGIN + 5, 21, 0x8b);

    Collection<MetricData> told = measured.collect();
    assertThat(points(told, Metric.EXITS)).isEqualTo(Map.of("a SIGKILL", 1.0, "a SIGSEGV", 1.0));
    assertThat(points(told, Metric.CORE_DUMPS)).isEqualTo(Map.of("a", 1.0));
  }

  @Test
  void theTimeOnACpuIsCountedAtTheEnd() {
    ResourceUsage usage =
        new ResourceUsage(2_000_000_000L, 500_000_000, 0, 0, 0, 0, 0, null, null, null, null);
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "a");
    watch.apply(new ProcessEvent.Exit(Watch.nanos(BEGIN + 9), 20, 20, 0, 17, 99, 99, null, usage));

    assertThat(Measured.of(measured.collect(), Metric.ENDED_CPU_TIME).toList())
        .singleElement()
        .satisfies(
            data ->
                assertThat(data.getDoubleSumData().getPoints())
                    .extracting(
                        point -> point.getAttributes().get(CPU_MODE) + " " + point.getValue())
                    .containsExactlyInAnyOrder("user 2.0", "system 0.5"));
  }

  @Test
  void theLivingAreCountedAsTheyAreAndThoseFoundAtTheStartWereNotCreated() {
    watch.finds(9, 1, 0, "bash").finds(10, 9, 0, "bash").begin();
    watch.fork(BEGIN + 10, 9, 20).exec(BEGIN + 11, 20, "make");

    Collection<MetricData> told = measured.collect(BEGIN + 20);
    assertThat(points(told, Metric.ALIVE)).isEqualTo(Map.of("bash", 2.0, "make", 1.0));
    assertThat(points(told, Metric.SYSTEM_CREATED)).isEqualTo(Map.of("", 1.0));

    watch.exit(BEGIN + 30, 20, 0);
    assertThat(points(measured.collect(BEGIN + 40), Metric.ALIVE)).isEqualTo(Map.of("bash", 2.0));
    assertThat(measured.metrics.tableStats()).isEqualTo(watch.table.stats());
  }

  @Test
  void whatIsAliveWhenTheWatchEndsHasNotEnded() {
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "make");
    watch.table.endWatch(nanos(BEGIN + 50));

    assertThat(points(measured.collect(), Metric.EXITS)).isEmpty();
    assertThat(points(measured.collect(), Metric.DURATION)).isEmpty();
  }

  @Test
  void theKernelsOwnThreadsAreNotCounted() {
    watch.findsKernelThread(2, "kthreadd").begin();
    watch.fork(BEGIN + 1, 2, 20).exit(BEGIN + 2, 20, 0);

    assertThat(points(measured.collect(BEGIN + 5), Metric.ALIVE)).isEmpty();
    assertThat(points(measured.collect(), Metric.EXITS)).isEmpty();
  }

  @Test
  void ofACommandAndItsDescendantsNothingIsToldOfTheNode() {
    TraceScope.Subtree scope = new TraceScope.Subtree(Watch.key(20, BEGIN), null);
    Measured command =
        new Measured(
            MetricOptions.defaults(),
            AggregationTemporalitySelector.alwaysCumulative(),
            SpanOptions.subtree(scope, "command"));
    command.watch.table.adoptRoot(20, BEGIN / 10, 1, null);
    command.watch.exec(BEGIN + 1, 20, "make").exit(BEGIN + 5, 20, 0);

    Collection<MetricData> told = command.collect();
    assertThat(points(told, Metric.EXITS)).isEqualTo(Map.of("make", 1.0));
    assertThat(Measured.of(told, Metric.SYSTEM_CREATED)).isEmpty();
  }

  @Test
  void metricsBelongToTheServiceOfTheProcess() {
    watch.fork(BEGIN, 99, 20);
    watch.exec(BEGIN + 1, 20, "a", "OTEL_SERVICE_NAME=shop").exit(BEGIN + 5, 20, 0);
    watch.fork(BEGIN, 99, 21).exec(BEGIN + 1, 21, "a").exit(BEGIN + 5, 21, 0);

    assertThat(Measured.of(measured.collect(), Metric.EXITS))
        .extracting(data -> data.getResource().getAttribute(ServiceAttributes.SERVICE_NAME))
        .containsExactlyInAnyOrder("shop", "node");
  }

  @Test
  void tenThousandNamesAndAThousandServicesStayWithinTheirBounds() {
    Measured bounded =
        new Measured(
            new MetricOptions(200, 50, 0, false),
            AggregationTemporalitySelector.alwaysCumulative());
    for (int i = 0; i < 10_000; i++) {
      int pid = 1_000 + i;
      bounded.watch.fork(BEGIN + i, 99, pid);
      bounded.watch.exec(BEGIN + i, pid, "program" + i, "OTEL_SERVICE_NAME=s" + i % 1_000);
      bounded.watch.exit(BEGIN + i, pid, i % 256 << 8);
    }

    Collection<MetricData> told = bounded.collect(BEGIN + 20_000);
    List<MetricData> exits = Measured.of(told, Metric.EXITS).toList();
    assertThat(exits).hasSizeBetween(50, 51);
    assertThat(points(told, Metric.EXITS).values().stream().mapToDouble(n -> n).sum())
        .isEqualTo(10_000);
    assertThat(points(told, Metric.EXECS)).hasSize(201).containsKey("_OTHER_");
    for (MetricData data : exits) {
      assertThat(data.getData().getPoints().size())
          .isLessThanOrEqualTo(201 * (ExecutableSeries.MAX_ERROR_TYPES + 2));
      assertThat(data.getData().getPoints())
          .noneMatch(
              point ->
                  point.getAttributes().asMap().keySet().stream()
                      .anyMatch(key -> key.getKey().equals("otel.metric.overflow")));
    }
    assertThat(bounded.metrics.resources()).isBetween(50, 51);
    assertThat(bounded.metrics.executables()).isEqualTo(200);
  }

  @Test
  void manyErrorsOfOneExecutableShareOneSeriesPastTheBound() {
    for (int code = 1; code <= 100; code++) {
      watch.fork(BEGIN, 99, 100 + code).exec(BEGIN + 1, 100 + code, "a");
      watch.exit(BEGIN + 2, 100 + code, code << 8);
    }

    assertThat(points(measured.collect(), Metric.EXITS))
        .hasSize(ExecutableSeries.MAX_ERROR_TYPES + 1)
        .containsEntry("a _OTHER", 100.0 - ExecutableSeries.MAX_ERROR_TYPES);
  }

  @Test
  void noPointCarriesAPid() {
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "a").exit(BEGIN + 5, 20, 1 << 8);

    assertThat(measured.collect(BEGIN + 10))
        .isNotEmpty()
        .flatExtracting(data -> List.copyOf(data.getData().getPoints()))
        .flatExtracting(
            point ->
                ((io.opentelemetry.sdk.metrics.data.PointData) point)
                    .getAttributes().asMap().keySet().stream().map(Object::toString).toList())
        .doesNotContain("process.pid");
  }

  @Test
  void seriesInWhichNothingHappensForTenMinutesGoAwayAndMakeRoom() {
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "gone").exit(BEGIN + 5, 20, 0);
    assertThat(points(measured.collect(BEGIN + 10), Metric.EXITS)).containsKey("gone");

    measured.collect(BEGIN + 12 * MINUTE);
    Collection<MetricData> told = measured.collect(BEGIN + 12 * MINUTE + 1);
    assertThat(points(told, Metric.EXITS)).isEmpty();
    measured.collect(BEGIN + 13 * MINUTE + 2);
    assertThat(measured.metrics.executables()).isZero();
    assertThat(measured.metrics.resources()).isZero();
    assertThat(points(told, Metric.SYSTEM_CREATED)).isEqualTo(Map.of("", 1.0));
  }

  @Test
  void whatIsAliveKeepsItsSeries() {
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN, 9, 20);

    measured.collect(BEGIN + 10);
    measured.collect(BEGIN + 12 * MINUTE);
    assertThat(points(measured.collect(BEGIN + 13 * MINUTE), Metric.FORKS)).containsKey("bash");
  }

  @Test
  void aDeltaTellsOnlyWhatCameSinceAndLosesNothingWhenASeriesGoes() {
    Measured delta = Measured.delta();
    delta.watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "a").exit(BEGIN + 5, 20, 0);
    assertThat(points(delta.collect(BEGIN + 10), Metric.EXITS)).isEqualTo(Map.of("a", 1.0));
    assertThat(points(delta.collect(BEGIN + 20), Metric.EXITS)).isEmpty();

    delta.watch.fork(BEGIN + 30, 99, 20).exec(BEGIN + 31, 20, "a").exit(BEGIN + 35, 20, 0);
    delta.watch.table.settleAll();
    delta.metrics.refresh(delta.watch.table, nanos(BEGIN + 12 * MINUTE));
    assertThat(delta.metrics.resources()).as("retired before it was collected").isLessThan(2);
    assertThat(points(delta.collect(), Metric.EXITS)).isEqualTo(Map.of("a", 1.0));
  }
}
