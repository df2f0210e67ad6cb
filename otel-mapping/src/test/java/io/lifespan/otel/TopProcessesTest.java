package io.lifespan.otel;

import static io.lifespan.otel.Measured.points;
import static io.lifespan.otel.Watch.BEGIN;
import static io.lifespan.otel.Watch.EPOCH_NANOS;
import static io.lifespan.otel.Watch.nanos;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_CREATION_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PID;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.process.ProcReader;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** What is told of single processes alive. */
class TopProcessesTest implements ProcReader {

  private final Map<Integer, String> stats = new HashMap<>();
  private final Measured measured =
      new Measured(
          new MetricOptions(200, 200, 2, false), AggregationTemporalitySelector.alwaysCumulative());
  private long now = EPOCH_NANOS + nanos(BEGIN + 10_000);

  @Test
  void aProcessIsAResourceOfItsOwnAndItsSeriesBeginWithIt() {
    alive(20, "server", 'S', 150, 50, 3, 1_000);

    Collection<MetricData> told = collect(false);

    assertThat(points(told, Metric.CPU_TIME)).isEqualTo(Map.of("user", 1.5, "system", 0.5));
    assertThat(points(told, Metric.MEMORY)).isEqualTo(Map.of("", 4_096_000.0));
    assertThat(points(told, Metric.THREADS)).isEqualTo(Map.of("", 3.0));
    assertThat(points(told, Metric.UPTIME)).isEqualTo(Map.of("", 10.0));
    for (Metric metric : List.of(Metric.CPU_TIME, Metric.MEMORY, Metric.THREADS, Metric.UPTIME)) {
      assertThat(Measured.of(told, metric))
          .singleElement()
          .satisfies(
              data -> {
                assertThat(data.getUnit()).isEqualTo(metric.unit());
                assertThat(data.getResource().getAttribute(PROCESS_PID)).isEqualTo(20);
                assertThat(data.getResource().getAttribute(PROCESS_EXECUTABLE_NAME))
                    .isEqualTo("server");
                assertThat(data.getResource().getAttribute(PROCESS_CREATION_TIME))
                    .isEqualTo("2023-11-14T22:30:00Z");
                assertThat(data.getData().getPoints())
                    .allSatisfy(
                        point -> {
                          assertThat(point.getStartEpochNanos())
                              .isEqualTo(EPOCH_NANOS + nanos(BEGIN));
                          assertThat(point.getEpochNanos()).isEqualTo(now);
                        });
              });
    }
  }

  @Test
  void placesGoToWhatUsedCpuSinceTheLastTimeAndToWhatHoldsMemory() {
    alive(20, "busy-once", 'S', 500, 0, 1, 10);
    alive(21, "large", 'S', 0, 0, 1, 9_000);
    alive(22, "busy-now", 'R', 10, 0, 1, 20);
    TopProcesses top = top();
    var producer = top.producer(false);
    measured.collect(BEGIN + 10_000);
    assertThat(pids(producer.produce(Resource.empty()))).containsExactlyInAnyOrder(20L, 21L);

    stats.put(22, stat(22, 'R', 300, 0, 1, 20));
    assertThat(pids(producer.produce(Resource.empty()))).containsExactlyInAnyOrder(22L, 21L);
  }

  @Test
  void withDeltaTheCpuTimeIsThatSinceTheLastTime() {
    alive(20, "server", 'R', 100, 0, 1, 10);
    var producer = top().producer(true);
    measured.collect(BEGIN + 10_000);
    assertThat(points(producer.produce(Resource.empty()), Metric.CPU_TIME))
        .isEqualTo(Map.of("user", 1.0, "system", 0.0));
    long before = now;
    now += nanos(1_000);
    stats.put(20, stat(20, 'R', 130, 10, 1, 10));

    Collection<MetricData> told = producer.produce(Resource.empty());
    assertThat(points(told, Metric.CPU_TIME)).isEqualTo(Map.of("user", 0.3, "system", 0.1));
    assertThat(
            Measured.of(told, Metric.CPU_TIME)
                .flatMap(data -> data.getDoubleSumData().getPoints().stream())
                .map(DoublePointData::getStartEpochNanos))
        .containsOnly(before);
  }

  @Test
  void theStatesOfAllAreCountedAndThoseThatAreGoneAreNot() {
    alive(20, "a", 'R', 0, 0, 1, 1);
    alive(21, "a", 'S', 0, 0, 1, 1);
    alive(22, "a", 'I', 0, 0, 1, 1);
    alive(23, "a", 'D', 0, 0, 1, 1);
    alive(24, "a", 'T', 0, 0, 1, 1);
    alive(25, "a", 'Z', 0, 0, 1, 1);
    alive(26, "a", 'R', 0, 0, 1, 1);
    stats.remove(26);

    assertThat(points(collect(false), Metric.SYSTEM_COUNT))
        .isEqualTo(
            Map.of(
                "running", 1.0,
                "sleeping", 2.0,
                "blocked", 1.0,
                "stopped", 1.0,
                "defunct", 1.0));
  }

  @Test
  void aPidThatIsAnothersNowIsNotToldOf() {
    alive(20, "server", 'R', 100, 0, 1, 10);
    stats.put(20, stat(20, 'R', 100, 0, 1, 10).replace(" 100000 ", " 100050 "));

    assertThat(collect(false)).isEmpty();
  }

  private void alive(
      int pid, String program, char state, int user, int system, int threads, int pages) {
    measured.watch.fork(BEGIN, 99, pid).exec(BEGIN, pid, program);
    stats.put(pid, stat(pid, state, user, system, threads, pages));
  }

  private static String stat(int pid, char state, int user, int system, int threads, int pages) {
    return "%d (x) %s 99 1 1 0 -1 0 0 0 0 0 %d %d 0 0 20 0 %d 0 %d 0 %d\n"
        .formatted(pid, state, user, system, threads, BEGIN / 10, pages);
  }

  private Collection<MetricData> collect(boolean delta) {
    measured.collect(BEGIN + 10_000);
    return top().producer(delta).produce(Resource.empty());
  }

  private TopProcesses top() {
    return new TopProcesses(measured.metrics, measured.options, this, 100, 4_096, () -> now);
  }

  private static List<Long> pids(Collection<MetricData> told) {
    return Measured.of(told, Metric.UPTIME)
        .map(data -> data.getResource().getAttribute(PROCESS_PID))
        .toList();
  }

  @Override
  public ProcCapture read(int pid) {
    return readStat(pid);
  }

  @Override
  public ProcCapture readStat(int pid) {
    String stat = stats.get(pid);
    return stat == null
        ? new ProcCapture().without(ProcFile.STAT, ProcCapture.GONE)
        : new ProcCapture().with(ProcFile.STAT, Bytes.of(stat));
  }

  @Override
  public void list(IntConsumer pids) {
    stats.keySet().forEach(pids::accept);
  }
}
