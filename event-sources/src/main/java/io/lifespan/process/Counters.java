package io.lifespan.process;

/** The counters behind {@link TableStats}; owned by the table's thread. */
final class Counters {
  long started;
  long ended;
  long lost;
  long threadsAlive;
  long hits;
  long misses;
  long outOfScope;
  long late;
  long pidReuses;
  long evicted;
  long misread;
  long eventsLost;
  long resyncs;

  /** Counts an event whose process is not known; in a subtree that is somebody else's. */
  void unknown(TableOptions.Scope scope) {
    if (scope == TableOptions.Scope.SUBTREE) {
      outOfScope++;
    } else {
      misses++;
    }
  }

  TableStats snapshot(long alive) {
    return new TableStats(
        started,
        ended,
        alive,
        lost,
        threadsAlive,
        hits,
        misses,
        outOfScope,
        late,
        pidReuses,
        evicted,
        misread,
        eventsLost,
        resyncs);
  }
}
