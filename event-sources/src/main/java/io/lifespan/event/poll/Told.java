package io.lifespan.event.poll;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.EventSink;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.SourceCounters;

/** Hands on the events that are wanted, and counts them. */
final class Told {

  private final EventSelection selection;
  private final SourceCounters counters;
  private EventSink sink = event -> {};
  private int delivered;

  Told(EventSelection selection, SourceCounters counters) {
    this.selection = selection;
    this.counters = counters;
  }

  void begin(EventSink to) {
    sink = to;
    delivered = 0;
  }

  int delivered() {
    return delivered;
  }

  void tell(ProcessEvent event) {
    EventKind kind = event.kind();
    if (kind == null || !selection.kinds().contains(kind)) {
      return;
    }
    if (event instanceof ProcessEvent.Gone gone
        && selection.failedExitsOnly()
        && (gone.status() == null || gone.status() == 0)) {
      return;
    }
    sink.accept(event);
    counters.delivered(kind);
    delivered++;
  }
}
