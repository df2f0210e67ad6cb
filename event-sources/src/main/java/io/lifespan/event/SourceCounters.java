package io.lifespan.event;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** What a source has counted: written by its one thread, read by any. */
public final class SourceCounters {

  private final Map<EventKind, AtomicLong> delivered = new EnumMap<>(EventKind.class);
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong overruns = new AtomicLong();
  private final AtomicLong malformed = new AtomicLong();

  /** All at 0. */
  public SourceCounters() {
    for (EventKind kind : EventKind.values()) {
      delivered.put(kind, new AtomicLong());
    }
  }

  /** An event was handed to the sink. */
  public void delivered(EventKind kind) {
    add(Objects.requireNonNull(delivered.get(kind)), 1);
  }

  /** So many events were found lost at once. */
  public void lost(long count) {
    add(lost, count);
    add(overruns, 1);
  }

  /** So many messages were not understood. */
  public void malformed(long count) {
    add(malformed, count);
  }

  /**
   * The counts as of now.
   *
   * @param filter where and how events are filtered, for a person
   */
  public SourceStats snapshot(String filter) {
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
