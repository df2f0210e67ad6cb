package io.lifespan.collector;

import io.lifespan.otel.SpanStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says why processes that ended have no span, where that was the user's choice or a fault. */
final class SpanLedger {

  private SpanLedger() {}

  /** One line; empty if every process of a user got its span. */
  static String text(SpanStats stats) {
    List<String> parts = new ArrayList<>();
    add(parts, stats.unsampled(), "not sampled");
    add(parts, stats.leftOut(), "left out by rule");
    add(parts, stats.expired(), "recorded and let go");
    add(parts, stats.evicted(), "let go early (lifespan.traces.max-recorded)");
    add(parts, stats.recorded(), "still recorded");
    add(parts, stats.failed(), "not understood");
    if (parts.isEmpty()) {
      return "";
    }
    add(parts, stats.kernelThreads(), "threads of the kernel");
    return String.format(Locale.ROOT, "%,d spans; without: ", stats.exported())
        + String.join(", ", parts);
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(String.format(Locale.ROOT, "%,d %s", count, what));
    }
  }
}
