package io.lifespan.event;

import java.util.EnumMap;
import java.util.Map;

/**
 * Counters of a source since it was opened.
 *
 * @param received events handed to the sink
 * @param byKind the same by kind; kinds never seen are absent
 * @param lost events that the kernel dropped since the receive buffer was full, exactly
 * @param overruns how often the kernel reported (ENOBUFS) or the source noticed such a loss; each
 *     stands for any number of events
 * @param malformed messages that were not understood and skipped
 * @param filter where and how events are filtered, for a person: for example {@code kernel:
 *     fork,exec,exit}
 */
public record SourceStats(
    long received,
    Map<EventKind, Long> byKind,
    long lost,
    long overruns,
    long malformed,
    String filter) {

  /** Together with what a source beside this one has counted; the filter stays this one's. */
  public SourceStats plus(SourceStats other) {
    Map<EventKind, Long> kinds = new EnumMap<>(EventKind.class);
    kinds.putAll(byKind);
    other.byKind.forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
    return new SourceStats(
        received + other.received,
        kinds,
        lost + other.lost,
        overruns + other.overruns,
        malformed + other.malformed,
        filter);
  }
}
