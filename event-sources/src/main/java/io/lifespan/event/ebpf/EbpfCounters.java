package io.lifespan.event.ebpf;

import io.lifespan.event.EventKind;
import io.lifespan.event.SourceStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** What a source has counted: written by its one thread, read by any. */
final class EbpfCounters {

  private final Map<EventKind, AtomicLong> delivered = new EnumMap<>(EventKind.class);
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong overruns = new AtomicLong();
  private final AtomicLong malformed = new AtomicLong();

  EbpfCounters() {
    for (EventKind kind : EventKind.values()) {
      delivered.put(kind, new AtomicLong());
    }
  }

  void delivered(EventKind kind) {
    add(Objects.requireNonNull(delivered.get(kind)), 1);
  }

  void lost(long count) {
    add(lost, count);
    add(overruns, 1);
  }

  void malformed(long count) {
    add(malformed, count);
  }

  /** Together with what another source counted. */
  SourceStats snapshot(SourceStats other, String filter) {
    Map<EventKind, Long> byKind = new EnumMap<>(EventKind.class);
    byKind.putAll(other.byKind());
    long received = other.received();
    for (Map.Entry<EventKind, AtomicLong> kind : delivered.entrySet()) {
      long count = kind.getValue().get();
      if (count > 0) {
        byKind.merge(kind.getKey(), count, Long::sum);
        received += count;
      }
    }
    return new SourceStats(
        received,
        byKind,
        lost.get() + other.lost(),
        overruns.get() + other.overruns(),
        malformed.get() + other.malformed(),
        filter);
  }

  /** Enough for a single writer, and cheaper than an atomic addition. */
  private static void add(AtomicLong counter, long count) {
    counter.lazySet(counter.getPlain() + count);
  }
}
