package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.SourceStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** What a source has counted: written by its one thread, read by any. */
final class ConnectorCounters {

  private final Map<EventKind, AtomicLong> delivered = new EnumMap<>(EventKind.class);
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong overruns = new AtomicLong();
  private final AtomicLong malformed = new AtomicLong();

  ConnectorCounters() {
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

  void malformed() {
    add(malformed, 1);
  }

  SourceStats snapshot(String filter) {
    Map<EventKind, Long> byKind = new EnumMap<>(EventKind.class);
    long received = 0;
    for (Map.Entry<EventKind, AtomicLong> kind : delivered.entrySet()) {
      long count = kind.getValue().get();
      if (count > 0) {
        byKind.put(kind.getKey(), count);
        received += count;
      }
    }
    return new SourceStats(received, byKind, lost.get(), overruns.get(), malformed.get(), filter);
  }

  /** Enough for a single writer, and cheaper than an atomic addition. */
  private static void add(AtomicLong counter, long count) {
    counter.lazySet(counter.getPlain() + count);
  }
}
