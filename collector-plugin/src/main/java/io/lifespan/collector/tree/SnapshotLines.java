package io.lifespan.collector.tree;

import io.lifespan.process.ProcessKey;
import io.lifespan.process.ProcessSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows processes alive, a line each: pid, parent, threads, start (UTC), command; in order of pid,
 * or as a tree. After a watch also what they made while it lasted, those that made most first.
 */
public final class SnapshotLines {

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final String WHO = "%8s %8s %7s  ";
  private static final String MADE = "%8s %8s %8s %5s %4s  ";
  private static final String WHAT = "%-20s  %s";

  private final CommandTexts commands;
  private final boolean tree;
  private final @Nullable Duration watched;

  /**
   * @param tree whether children stand below their parents, indented
   * @param watched how long the processes were watched; null if not at all
   */
  public SnapshotLines(CommandTexts commands, boolean tree, @Nullable Duration watched) {
    this.commands = commands;
    this.tree = tree;
    this.watched = watched;
  }

  /** The lines, a heading first. */
  public List<String> of(List<ProcessSnapshot> processes) {
    List<String> lines = new ArrayList<>();
    lines.add(
        format(WHO, "PID", "PPID", "THREADS")
            + (watched == null ? "" : format(MADE, "FORKS", "FORKS/S", "CHILDREN", "DEPTH", "GEN"))
            + format(WHAT, "START", "COMMAND"));
    List<ProcessSnapshot> ordered = new ArrayList<>(processes);
    ordered.sort(order());
    Map<ProcessKey, ProcessSnapshot> known = new HashMap<>();
    ordered.forEach(each -> known.put(each.key(), each));
    if (tree) {
      Map<@Nullable ProcessKey, List<ProcessSnapshot>> children = new HashMap<>();
      for (ProcessSnapshot each : ordered) {
        ProcessKey parent = each.parentKey();
        children
            .computeIfAbsent(known.containsKey(parent) ? parent : null, any -> new ArrayList<>())
            .add(each);
      }
      addBelow(null, 0, children, lines);
    } else {
      ordered.forEach(each -> lines.add(line(each, depth(each, known), "")));
    }
    return lines;
  }

  private Comparator<ProcessSnapshot> order() {
    Comparator<ProcessSnapshot> byPid = Comparator.comparingInt(each -> each.key().pid());
    return watched == null || tree
        ? byPid
        : Comparator.comparingLong((ProcessSnapshot each) -> -each.forks()).thenComparing(byPid);
  }

  private void addBelow(
      @Nullable ProcessKey parent,
      int depth,
      Map<@Nullable ProcessKey, List<ProcessSnapshot>> children,
      List<String> lines) {
    for (ProcessSnapshot each : children.getOrDefault(parent, List.of())) {
      lines.add(line(each, depth, "  ".repeat(depth)));
      addBelow(each.key(), depth + 1, children, lines);
    }
  }

  /** How many ancestors of a process are alive, one above the other. */
  private static int depth(ProcessSnapshot process, Map<ProcessKey, ProcessSnapshot> known) {
    int depth = 0;
    ProcessSnapshot above = known.get(process.parentKey());
    while (above != null) {
      depth++;
      above = known.get(above.parentKey());
    }
    return depth;
  }

  private String line(ProcessSnapshot process, int depth, String indent) {
    CommandText command = commands.of(process.image().capture(), process.comm());
    String text =
        command.arguments().isEmpty() ? command.name() : command.name() + " " + command.arguments();
    Integer parent = process.parentPid();
    return format(WHO, process.key().pid(), parent == null ? "-" : parent, process.threads())
        + (watched == null
            ? ""
            : format(
                MADE,
                process.forks(),
                ForkLines.rate(process.forks(), watched),
                process.liveChildren(),
                depth,
                process.execGeneration()))
        + format(
            WHAT,
            Instant.ofEpochSecond(process.startEpochNanos() / NANOS_PER_SECOND)
                .truncatedTo(ChronoUnit.SECONDS),
            indent + text);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
