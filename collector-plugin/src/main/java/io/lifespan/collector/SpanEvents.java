package io.lifespan.collector;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import java.util.List;
import java.util.Set;

/** Which selections of events spans can be made of. */
final class SpanEvents {

  private SpanEvents() {}

  /**
   * What is wrong with a selection, a line each, with what to do.
   *
   * @param records whether processes are kept back until one fails
   */
  static List<String> problems(EventSelection selection, boolean records) {
    Set<EventKind> kinds = selection.kinds();
    boolean begins = kinds.contains(EventKind.FORK) || kinds.contains(EventKind.EXEC);
    if (!kinds.contains(EventKind.EXIT)) {
      return List.of(
          "lifespan.events: a span is made when a process ends; add exit or nonzero_exit to "
              + selection);
    }
    if (selection.failedExitsOnly() && begins) {
      return List.of(
          "lifespan.events: with fork or exec every exit must be seen, or processes that succeed seem"
              + " to live for ever; use exit, or nonzero_exit without fork and exec");
    }
    if (selection.failedExitsOnly() && records) {
      return List.of(
          "lifespan.traces.record: nothing can be recorded where only failed exits are seen; leave"
              + " lifespan.events as it is");
    }
    if (kinds.contains(EventKind.FORK) && !kinds.contains(EventKind.EXEC)) {
      return List.of(
          "lifespan.events: with fork alone every process would bear its parent's name; add exec");
    }
    return List.of();
  }
}
