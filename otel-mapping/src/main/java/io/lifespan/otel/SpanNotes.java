package io.lifespan.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.EventData;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was observed of a process from outside, to become events of its span: bounded. Owned by the
 * process table's thread.
 */
final class SpanNotes {

  private static final int MAX = 32;

  private final List<EventData> events = new ArrayList<>(1);
  private int dropped;

  /** Adds an event, or replaces the one of the same time and name. */
  void put(long epochNanos, String name, Attributes attributes) {
    EventData event = EventData.create(epochNanos, name, attributes);
    for (int i = 0; i < events.size(); i++) {
      EventData known = events.get(i);
      if (known.getEpochNanos() == epochNanos && known.getName().equals(name)) {
        events.set(i, event);
        return;
      }
    }
    if (events.size() < MAX) {
      events.add(event);
    } else {
      dropped++;
    }
  }

  /** True if there is an event of this time and name. */
  boolean has(long epochNanos, String name) {
    return events.stream()
        .anyMatch(event -> event.getEpochNanos() == epochNanos && event.getName().equals(name));
  }

  /** How many there was no room for. */
  static int dropped(@Nullable SpanNotes notes) {
    return notes == null ? 0 : notes.dropped;
  }

  /** Events of a life and notes, by time. */
  static List<EventData> merged(List<EventData> lifeEvents, @Nullable SpanNotes notes) {
    if (notes == null) {
      return lifeEvents;
    }
    List<EventData> all = new ArrayList<>(lifeEvents);
    all.addAll(notes.events);
    all.sort(Comparator.comparingLong(EventData::getEpochNanos));
    return all;
  }
}
