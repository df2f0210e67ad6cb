package io.lifespan.event.blocking;

import io.lifespan.procfs.MountPoint;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A mount as calls see it: the lane of its file system, and how long its calls took. */
final class Place {

  private final @Nullable MountPoint mount;
  private final Lane lane;
  private final Map<CallKind, LatencyHistogram> latencies = new EnumMap<>(CallKind.class);
  private final LongAdder expired = new LongAdder();
  private final LongAdder untimed = new LongAdder();

  Place(@Nullable MountPoint mount, Lane lane) {
    this.mount = mount;
    this.lane = lane;
    for (CallKind kind : CallKind.values()) {
      latencies.put(kind, new LatencyHistogram());
    }
  }

  /** Null for where no mount is listed. */
  @Nullable MountPoint mount() {
    return mount;
  }

  Lane lane() {
    return lane;
  }

  /** Notes that a call has returned. */
  void returned(CallKind kind, long startedNanos, long tookNanos) {
    Objects.requireNonNull(latencies.get(kind)).record(tookNanos);
    lane.returned(startedNanos, tookNanos);
  }

  /** Counts calls that have returned and were not timed. */
  void untimed(int calls) {
    untimed.add(calls);
  }

  long untimedCount() {
    return untimed.sum();
  }

  /** Notes that a deadline has passed before a call returned. */
  void expired() {
    expired.increment();
  }

  /** What was counted, for each kind of call that was made. */
  List<CallStatistics> statistics() {
    List<CallStatistics> statistics = new ArrayList<>();
    latencies.forEach(
        (kind, histogram) -> {
          Latencies snapshot = histogram.snapshot();
          if (snapshot.count() > 0) {
            statistics.add(new CallStatistics(mount, kind, snapshot));
          }
        });
    return statistics;
  }

  long expiredCount() {
    return expired.sum();
  }
}
