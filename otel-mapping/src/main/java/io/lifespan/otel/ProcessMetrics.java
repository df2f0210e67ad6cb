package io.lifespan.otel;

import io.lifespan.process.LifecycleListener;
import io.lifespan.process.Observed;
import io.lifespan.process.ProcessKey;
import io.lifespan.process.ProcessTable;
import io.lifespan.process.TableStats;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import io.lifespan.procfs.Bytes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the lives of processes by executable, in the Resource that each belongs to. To be told
 * after {@link ProcessSpans}, whose knowledge of a process it shares.
 *
 * <p>Cheap for each process: what identifies its series is looked up once for each program that is
 * executed, and bounded. Series in which nothing happens for ten minutes and nothing is alive go
 * away.
 *
 * <p>To be called on the process table's thread only; {@link #alive()} and the counters on any.
 */
public final class ProcessMetrics implements LifecycleListener {

  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long RETIRE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long MIN_COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Of the thread's time, counting the living may take one part in so many. */
  private static final long COUNT_SHARE = 100;

  private final MetricOptions options;
  private final ProcessSpans spans;
  private final ResourceMeters meters;
  private final Resource node;
  private final boolean wholeNode;
  private final long sinceNanos;
  private final ExecutableNames names;
  private final Map<Resource, ResourceSeries> resources = new HashMap<>();
  private final AtomicLong created = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile List<LiveProcess> alive = List.of();
  private volatile @Nullable TableStats tableStats;
  private volatile int resourceCount;
  private volatile int nameCount;
  private long nowNanos;
  private long nextCountNanos = Long.MIN_VALUE;
  private long nextRetireNanos;

  /** A process that was alive a moment ago. */
  record LiveProcess(
      ProcessKey key, long startEpochNanos, Resource resource, @Nullable Bytes executable) {}

  /**
   * @param wholeNode whether every process of the node is told of, so that the node's own metrics
   *     can be made
   * @param sinceNanos when the watch began, on CLOCK_MONOTONIC: older processes were not created
   *     under it
   */
  public ProcessMetrics(
      MetricOptions options,
      ProcessSpans spans,
      ResourceMeters meters,
      boolean wholeNode,
      long sinceNanos) {
    this.options = options;
    this.spans = spans;
    this.meters = meters;
    this.node = spans.commonResource();
    this.wholeNode = wholeNode;
    this.sinceNanos = sinceNanos;
    this.nowNanos = sinceNanos;
    this.nextRetireNanos = sinceNanos + RETIRE_NANOS;
    this.names = new ExecutableNames(options.maxExecutables(), spans.redactor());
    if (wholeNode) {
      Metric.SYSTEM_CREATED.observe(nodeMeter(), measurement -> measurement.record(created.get()));
    }
  }

  /** The meter for what is measured of the node (or the command) as a whole. */
  public Meter nodeMeter() {
    return meters.meter(node);
  }

  @Override
  public void started(TrackedProcess process, @Nullable TrackedProcess parent) {
    try {
      if (process.startNanos() - sinceNanos >= 0) {
        created.incrementAndGet();
      }
      ExecutableSeries series =
          parent == null || process.startObserved() != Observed.EVENT ? null : series(parent);
      if (series != null) {
        series.forked(nowNanos);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  @Override
  public void executed(TrackedProcess process) {
    try {
      ExecutableSeries series = series(process);
      if (series != null) {
        series.executed(nowNanos);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  @Override
  public void ended(TrackedProcess process) {
    try {
      WaitStatus status = process.status();
      ExecutableSeries series =
          status == null || process.endObserved() == Observed.NOT_YET ? null : series(process);
      if (status != null && series != null) {
        series.ended(process, status, spans.exportedContext(process), nowNanos);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
  }

  /** Counts the living now and then: to be called as often as is convenient. */
  public void tick(ProcessTable table, long now) {
    nowNanos = now;
    if (nextCountNanos == Long.MIN_VALUE || now - nextCountNanos >= 0) {
      refresh(table, now);
    }
  }

  /** Counts the living at once, so that what is told next is as of now. */
  public void refresh(ProcessTable table, long now) {
    nowNanos = now;
    long begin = System.nanoTime();
    try {
      count(table);
      if (now - nextRetireNanos >= 0) {
        nextRetireNanos = now + RETIRE_NANOS;
        retire(now - IDLE_NANOS);
      }
    } catch (RuntimeException e) {
      failed.incrementAndGet();
    }
    long spent = System.nanoTime() - begin;
    nextCountNanos = now + Math.max(MIN_COUNT_NANOS, spent * COUNT_SHARE);
  }

  /** The counters of the table, as they were a moment ago; null before the first look. */
  public @Nullable TableStats tableStats() {
    return tableStats;
  }

  /** How many processes could not be counted: a fault of ours, never of theirs. */
  long failed() {
    return failed.get();
  }

  List<LiveProcess> alive() {
    return alive;
  }

  int resources() {
    return resourceCount;
  }

  int executables() {
    return nameCount;
  }

  /** A name as it may leave the machine. */
  String text(Bytes name) {
    return names.text(name);
  }

  Resource node() {
    return node;
  }

  boolean wholeNode() {
    return wholeNode;
  }

  /** The counting of the living, by their series. */
  private void count(ProcessTable table) {
    List<LiveProcess> found = new ArrayList<>(table.alive());
    table.forEachAlive(
        process -> {
          ExecutableSeries series = series(process);
          if (series != null) {
            series.count();
            found.add(
                new LiveProcess(
                    process.key(),
                    process.startEpochNanos(),
                    series.owner().resource(),
                    process.image().executableName()));
          }
        });
    for (ResourceSeries resource : resources.values()) {
      resource.series().values().forEach(series -> series.publish(nowNanos));
    }
    alive = found;
    tableStats = table.stats();
    resourceCount = resources.size();
    nameCount = names.size();
  }

  /** Begins anew what has mostly idle series, so that those go away. */
  private void retire(long idleSinceNanos) {
    boolean any =
        resources
            .values()
            .removeIf(
                resource -> {
                  if (!resource.isStale(idleSinceNanos)) {
                    return false;
                  }
                  resource.setGone();
                  meters.retire(resource.resource());
                  return true;
                });
    if (any) {
      Set<String> used = new HashSet<>();
      resources.values().forEach(resource -> used.addAll(resource.series().keySet()));
      names.keepOnly(used);
    }
  }

  /** The series of what a process runs; null if it is not followed. */
  private @Nullable ExecutableSeries series(TrackedProcess process) {
    LazyCommand command = spans.lazyCommand(process);
    if (command == null) {
      return null;
    }
    ExecutableSeries known = command.series();
    if (known == null || known.owner().gone()) {
      String name = names.of(process.image());
      known = resource(spans.resource(command)).of(name, nowNanos);
      command.setSeries(known);
    }
    return known;
  }

  private ResourceSeries resource(Resource resource) {
    ResourceSeries known = resources.get(resource);
    if (known != null) {
      return known;
    }
    boolean room = resources.size() < options.maxResources() || resource.equals(node);
    return room
        ? resources.computeIfAbsent(
            resource, made -> new ResourceSeries(made, meters.passing(made)))
        : resource(node);
  }
}
