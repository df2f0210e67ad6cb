package io.lifespan.otel;

import static io.opentelemetry.semconv.incubating.CpuIncubatingAttributes.CPU_MODE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_CREATION_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_STATE;

import io.lifespan.otel.ProcessMetrics.LiveProcess;
import io.lifespan.process.ProcReader;
import io.lifespan.process.ProcessKey;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.incubating.CpuIncubatingAttributes.CpuModeIncubatingValues;
import io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.ProcessStateIncubatingValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Tells of the processes alive that matter most one by one, each as a Resource of its own: half of
 * the places go to those that used the most CPU since the last time, the others to those that hold
 * the most memory. Of a whole node also how many processes are in which state.
 *
 * <p>Each collection reads /proc/PID/stat of every process alive, about 10 us for each. Times of
 * the CPU are exact to a clock tick.
 */
public final class TopProcesses {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final Attributes USER = Attributes.of(CPU_MODE, CpuModeIncubatingValues.USER);
  private static final Attributes SYSTEM = Attributes.of(CPU_MODE, CpuModeIncubatingValues.SYSTEM);

  /** Waits in the kernel and cannot even be killed; the conventions have no word for it. */
  private static final String BLOCKED = "blocked";

  private final ProcessMetrics metrics;
  private final MetricOptions options;
  private final ProcReader reader;
  private final long ticksPerSecond;
  private final long pageBytes;
  private final LongSupplier epochClock;
  private final long sinceEpochNanos;

  /**
   * @param reader used by this alone
   * @param ticksPerSecond clock ticks of /proc/PID/stat in a second
   * @param pageBytes the size of a page of memory
   * @param epochClock tells nanoseconds since the epoch
   */
  public TopProcesses(
      ProcessMetrics metrics,
      MetricOptions options,
      ProcReader reader,
      long ticksPerSecond,
      long pageBytes,
      LongSupplier epochClock) {
    this.metrics = metrics;
    this.options = options;
    this.reader = reader;
    this.ticksPerSecond = ticksPerSecond;
    this.pageBytes = pageBytes;
    this.epochClock = epochClock;
    this.sinceEpochNanos = epochClock.getAsLong();
  }

  /** Adds itself to every destination. */
  public void register(ResourceMeters meters) {
    for (int i = 0; i < meters.destinations(); i++) {
      meters.add(i, producer(meters.isDelta(i, InstrumentType.OBSERVABLE_COUNTER)));
    }
  }

  /** What is told to one destination. */
  MetricProducer producer(boolean delta) {
    return new Producer(delta);
  }

  /** A process and how it fares now. */
  private record Sample(LiveProcess process, ProcStat stat) {

    long ticks() {
      return stat.userTicks() + stat.systemTicks();
    }

    long pages() {
      Long pages = stat.residentPages();
      return pages == null ? 0 : pages;
    }
  }

  /** What was told of a process last. */
  private record Told(long userTicks, long systemTicks, long epochNanos) {}

  private List<Sample> sample() {
    List<Sample> samples = new ArrayList<>();
    synchronized (reader) {
      for (LiveProcess process : metrics.alive()) {
        Bytes text = reader.readStat(process.key().pid()).get(ProcFile.STAT);
        ProcStat stat = text == null ? null : ProcStat.parse(text);
        if (stat != null && Math.abs(stat.startTicks() - process.key().startTicks()) <= 1) {
          samples.add(new Sample(process, stat));
        }
      }
    }
    return samples;
  }

  private static String state(char letter) {
    return switch (letter) {
      case 'R' -> ProcessStateIncubatingValues.RUNNING;
      case 'D' -> BLOCKED;
      case 'T', 't' -> ProcessStateIncubatingValues.STOPPED;
      case 'Z', 'X', 'x' -> ProcessStateIncubatingValues.DEFUNCT;
      default -> ProcessStateIncubatingValues.SLEEPING;
    };
  }

  /** Keeps for one destination what it was told. */
  private final class Producer implements MetricProducer {
    private final boolean delta;
    private final Map<ProcessKey, Long> ticksBefore = new HashMap<>();
    private final Map<ProcessKey, Told> told = new HashMap<>();
    private final Map<ProcessKey, Resource> resources = new HashMap<>();
    private final IsoTime times = new IsoTime();

    Producer(boolean delta) {
      this.delta = delta;
    }

    @Override
    public synchronized Collection<MetricData> produce(Resource unused) {
      List<Sample> samples = sample();
      List<MetricData> all = new ArrayList<>();
      long now = epochClock.getAsLong();
      if (metrics.wholeNode() && !samples.isEmpty()) {
        all.add(count(samples, now));
      }
      Collection<Sample> chosen = choose(samples);
      for (Sample sample : chosen) {
        tell(sample, now, all);
      }
      remember(samples, chosen);
      return all;
    }

    private MetricData count(List<Sample> samples, long now) {
      Map<String, Long> states = new TreeMap<>();
      samples.forEach(sample -> states.merge(state(sample.stat().state()), 1L, Long::sum));
      List<LongPointData> points = new ArrayList<>();
      states.forEach(
          (state, number) ->
              points.add(
                  LongPointData.create(
                      sinceEpochNanos, now, Attributes.of(PROCESS_STATE, state), number)));
      return ReadyMetric.longSum(Metric.SYSTEM_COUNT, metrics.node(), points);
    }

    private Collection<Sample> choose(List<Sample> samples) {
      int seats = options.topProcesses();
      Set<Sample> chosen = new LinkedHashSet<>();
      take(samples, Comparator.comparingLong(this::ticksSince), (seats + 1) / 2, chosen);
      take(samples, Comparator.comparingLong(Sample::pages), seats, chosen);
      return chosen;
    }

    private void take(List<Sample> samples, Comparator<Sample> by, int seats, Set<Sample> chosen) {
      samples.sort(by.reversed());
      for (int i = 0; i < samples.size() && chosen.size() < seats; i++) {
        chosen.add(samples.get(i));
      }
    }

    private long ticksSince(Sample sample) {
      return sample.ticks() - ticksBefore.getOrDefault(sample.process().key(), 0L);
    }

    private void tell(Sample sample, long now, List<MetricData> all) {
      LiveProcess process = sample.process();
      ProcStat stat = sample.stat();
      Resource resource = resources.computeIfAbsent(process.key(), key -> resource(process));
      long start = process.startEpochNanos();
      all.add(cpu(process.key(), stat, resource, start, now));
      if (stat.residentPages() != null) {
        all.add(sum(Metric.MEMORY, resource, start, now, sample.pages() * pageBytes));
      }
      all.add(sum(Metric.THREADS, resource, start, now, stat.threads()));
      double uptime = (now - start) / NANOS_PER_SECOND;
      all.add(
          ReadyMetric.doubleGauge(
              Metric.UPTIME,
              resource,
              List.of(DoublePointData.create(start, now, Attributes.empty(), uptime, List.of()))));
    }

    private MetricData cpu(ProcessKey key, ProcStat stat, Resource resource, long start, long now) {
      Told last = delta ? told.put(key, new Told(stat.userTicks(), stat.systemTicks(), now)) : null;
      long user = stat.userTicks() - (last == null ? 0 : last.userTicks());
      long system = stat.systemTicks() - (last == null ? 0 : last.systemTicks());
      long from = last == null ? start : last.epochNanos();
      return ReadyMetric.doubleSum(
          Metric.CPU_TIME,
          delta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
          resource,
          List.of(
              DoublePointData.create(from, now, USER, seconds(user), List.of()),
              DoublePointData.create(from, now, SYSTEM, seconds(system), List.of())));
    }

    private MetricData sum(Metric metric, Resource resource, long start, long now, long value) {
      return ReadyMetric.longSum(
          metric, resource, List.of(LongPointData.create(start, now, Attributes.empty(), value)));
    }

    private double seconds(long ticks) {
      return (double) ticks / ticksPerSecond;
    }

    private Resource resource(LiveProcess process) {
      Bytes executable = process.executable();
      return process.resource().toBuilder()
          .put(PROCESS_PID, process.key().pid())
          .put(PROCESS_CREATION_TIME, times.of(process.startEpochNanos()))
          .put(PROCESS_EXECUTABLE_NAME, executable == null ? null : metrics.text(executable))
          .build();
    }

    private void remember(List<Sample> samples, Collection<Sample> chosen) {
      Set<ProcessKey> alive = new HashSet<>();
      for (Sample sample : samples) {
        alive.add(sample.process().key());
        ticksBefore.put(sample.process().key(), sample.ticks());
      }
      ticksBefore.keySet().retainAll(alive);
      told.keySet().retainAll(alive);
      Set<ProcessKey> kept = new HashSet<>();
      chosen.forEach(sample -> kept.add(sample.process().key()));
      resources.keySet().retainAll(kept);
    }
  }
}
