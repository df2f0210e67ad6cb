package io.lifespan.collector.tree;

import io.lifespan.otel.Redactor;
import io.lifespan.otel.Text;
import io.lifespan.process.ForkCounter;
import io.lifespan.process.ForkCounter.Totals;
import io.lifespan.procfs.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Shows what the processes of each executable did while they were watched, a line each, those that
 * made most processes first.
 */
public final class ForkLines {

  private static final String FORMAT = "%8s %8s %8s %8s  %s";
  private static final double NANOS_PER_SECOND = 1e9;

  private final Redactor redactor;
  private final Duration watched;

  /**
   * @param watched how long the counting took
   */
  public ForkLines(Redactor redactor, Duration watched) {
    this.redactor = redactor;
    this.watched = watched;
  }

  /** The lines, a heading first. */
  public List<String> of(Map<Bytes, Totals> totals) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(Locale.ROOT, FORMAT, "FORKS", "FORKS/S", "EXECS", "EXITS", "EXECUTABLE"));
    totals.entrySet().stream()
        .map(each -> new Line(name(each.getKey()), each.getValue()))
        .sorted(
            Comparator.comparingLong((Line each) -> -each.totals.forks())
                .thenComparing(each -> -each.totals.execs())
                .thenComparing(each -> each.name))
        .forEach(each -> lines.add(text(each)));
    return lines;
  }

  /** So many in the time watched, for each second. */
  static String rate(long count, Duration watched) {
    return String.format(Locale.ROOT, "%.1f", count / (watched.toNanos() / NANOS_PER_SECOND));
  }

  private record Line(String name, Totals totals) {}

  private String name(Bytes executable) {
    if (executable.equals(ForkCounter.UNKNOWN)) {
      return "(unknown)";
    }
    return executable.equals(ForkCounter.OTHER) ? "(others)" : redactor.text(Text.of(executable));
  }

  private String text(Line line) {
    return String.format(
        Locale.ROOT,
        FORMAT,
        line.totals.forks(),
        rate(line.totals.forks(), watched),
        line.totals.execs(),
        line.totals.exits(),
        line.name);
  }
}
