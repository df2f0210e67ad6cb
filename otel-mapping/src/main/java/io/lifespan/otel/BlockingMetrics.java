package io.lifespan.otel;

import io.lifespan.event.blocking.BlockedTask;
import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.event.blocking.CallKind;
import io.lifespan.event.blocking.CallStatistics;
import io.lifespan.event.blocking.LatencyHistogram;
import io.lifespan.event.blocking.MountHealth;
import io.lifespan.event.blocking.MountState;
import io.lifespan.procfs.MountPoint;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures what blocks: the threads that do now, how long those did that run again, how mounts
 * fare, and how long Lifespan's own calls took. Of what is gone nothing is told any more.
 * Thread-safe.
 */
public final class BlockingMetrics implements BlockingListener {

  /** How many mounts are told one by one, and how many series of blocked threads there are. */
  static final int MAX_SERIES = 200;

  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Resource node;
  private final BlockingAttributes attributes;
  private final LongSupplier epochClock;
  private final Map<Attributes, Finished> finished = new HashMap<>();

  /** Blocks of a series that are over. */
  private static final class Finished {
    private final LatencyHistogram durations = new LatencyHistogram();
    private long lastNanos;
  }

  /**
   * @param node what this is measured of
   * @param epochClock tells nanoseconds since the epoch
   */
  public BlockingMetrics(Resource node, Redactor redactor, LongSupplier epochClock) {
    this.node = node;
    this.attributes = new BlockingAttributes(redactor);
    this.epochClock = epochClock;
  }

  /** Adds itself to every destination. */
  public void register(ResourceMeters meters, BlockingView view) {
    for (int i = 0; i < meters.destinations(); i++) {
      meters.add(i, new Producer(view, meters.isDelta(i, InstrumentType.HISTOGRAM)));
    }
  }

  @Override
  public void taskReleased(BlockedTask task, long nowNanos) {
    Attributes series = attributes.series(task);
    synchronized (finished) {
      if (!finished.containsKey(series) && finished.size() >= MAX_SERIES) {
        series = BlockingAttributes.otherSeries();
      }
      Finished one = finished.computeIfAbsent(series, made -> new Finished());
      one.durations.record(task.ageNanos(nowNanos));
      one.lastNanos = nowNanos;
    }
  }

  private List<DurationSeries.Counted> finished() {
    long now = System.nanoTime();
    List<DurationSeries.Counted> all = new ArrayList<>();
    synchronized (finished) {
      finished.values().removeIf(one -> now - one.lastNanos > IDLE_NANOS);
      finished.forEach(
          (series, one) ->
              all.add(new DurationSeries.Counted(one, series, one.durations.snapshot())));
    }
    return all;
  }

  /** Keeps for one destination what it was told. */
  private final class Producer implements MetricProducer {
    private final BlockingView view;
    private final DurationSeries blocks;
    private final DurationSeries probes;
    private final DurationSeries calls;
    private final Set<MountPoint> named = new LinkedHashSet<>();

    Producer(BlockingView view, boolean delta) {
      this.view = view;
      long since = epochClock.getAsLong();
      blocks = new DurationSeries(Metric.BLOCKED_DURATION, delta, since);
      probes = new DurationSeries(Metric.MOUNT_PROBE, delta, since);
      calls = new DurationSeries(Metric.FILE_CALLS, delta, since);
    }

    @Override
    public synchronized Collection<MetricData> produce(Resource unused) {
      long now = epochClock.getAsLong();
      List<MetricData> all = new ArrayList<>();
      tellTasks(all, now);
      tellMounts(all, now);
      tellCalls(all, now);
      all.addAll(blocks.tell(finished(), node, now));
      return all;
    }

    private void tellTasks(List<MetricData> all, long now) {
      Map<Attributes, Long> counts = new HashMap<>();
      for (BlockedTask task : view.blocked()) {
        Attributes series = attributes.series(task);
        boolean room = counts.containsKey(series) || counts.size() < MAX_SERIES;
        counts.merge(room ? series : BlockingAttributes.otherSeries(), 1L, Long::sum);
      }
      tellGauge(Metric.BLOCKED_TASKS, counts, all, now);
    }

    /** Those that do not fare well come first, should there not be room for all. */
    private void tellMounts(List<MetricData> all, long now) {
      List<MountHealth> mounts = new ArrayList<>(view.mounts());
      mounts.sort(
          Comparator.comparing((MountHealth health) -> health.state() == MountState.HEALTHY)
              .thenComparing(health -> health.mount().id()));
      Map<Attributes, Long> counts = new HashMap<>();
      List<DoublePointData> ages = new ArrayList<>();
      for (MountHealth health : mounts) {
        boolean room = ages.size() < MAX_SERIES;
        AttributesBuilder state =
            room
                ? attributes.mount(health.mount()).toBuilder()
                : BlockingAttributes.otherMount().toBuilder();
        Attributes series = state.put(Semconv.MOUNT_STATE, health.state().stateName()).build();
        counts.merge(series, 1L, Long::sum);
        if (room) {
          double age = BlockingAttributes.seconds(System.nanoTime() - health.sinceNanos());
          ages.add(DoublePointData.create(now, now, series, age, List.of()));
        }
      }
      tellGauge(Metric.MOUNT_STATUS, counts, all, now);
      if (!ages.isEmpty()) {
        all.add(ReadyMetric.doubleGauge(Metric.MOUNT_AGE, node, ages));
      }
    }

    private void tellGauge(
        Metric metric, Map<Attributes, Long> counts, List<MetricData> all, long now) {
      List<LongPointData> points = new ArrayList<>();
      counts.forEach((series, count) -> points.add(LongPointData.create(now, now, series, count)));
      if (!points.isEmpty()) {
        all.add(ReadyMetric.longGauge(metric, node, points));
      }
    }

    private void tellCalls(List<MetricData> all, long now) {
      List<DurationSeries.Counted> ofProbes = new ArrayList<>();
      List<DurationSeries.Counted> others = new ArrayList<>();
      List<CallStatistics> statistics = view.calls();
      List<MountPoint> there = new ArrayList<>();
      for (CallStatistics one : statistics) {
        MountPoint mount = one.mount();
        if (mount != null) {
          there.add(mount);
        }
      }
      named.retainAll(Set.copyOf(there));
      for (CallStatistics one : statistics) {
        Attributes series = series(one);
        Object place = List.of(one.kind(), one.mount() == null ? node : one.mount());
        (one.kind() == CallKind.PROBE ? ofProbes : others)
            .add(new DurationSeries.Counted(place, series, one.latencies()));
      }
      all.addAll(probes.tell(ofProbes, node, now));
      all.addAll(calls.tell(others, node, now));
    }

    private Attributes series(CallStatistics one) {
      MountPoint mount = one.mount();
      AttributesBuilder series = Attributes.builder();
      if (mount != null) {
        boolean room = named.contains(mount) || named.size() < MAX_SERIES;
        if (room) {
          named.add(mount);
        }
        series.putAll(room ? attributes.mount(mount) : BlockingAttributes.otherMount());
      }
      if (one.kind() != CallKind.PROBE) {
        series.put(Semconv.CALL, one.kind().callName());
      }
      return series.build();
    }
  }
}
