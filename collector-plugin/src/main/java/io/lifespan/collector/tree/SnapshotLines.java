package io.lifespan.collector.tree;

import io.lifespan.process.ProcessKey;
import io.lifespan.process.ProcessSnapshot;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows processes alive, a line each: pid, parent, threads, start (UTC), command; in order of pid,
 * or as a tree.
 */
public final class SnapshotLines {

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final String FORMAT = "%8s %8s %7s  %-20s  %s";

  private final CommandTexts commands;
  private final boolean tree;

  /**
   * @param tree whether children stand below their parents, indented
   */
  public SnapshotLines(CommandTexts commands, boolean tree) {
    this.commands = commands;
    this.tree = tree;
  }

  /** The lines, a heading first. */
  public List<String> of(List<ProcessSnapshot> processes) {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, FORMAT, "PID", "PPID", "THREADS", "START", "COMMAND"));
    List<ProcessSnapshot> byPid = new ArrayList<>(processes);
    byPid.sort(Comparator.comparingInt(each -> each.key().pid()));
    if (!tree) {
      byPid.forEach(each -> lines.add(line(each, 0)));
      return lines;
    }
    Set<ProcessKey> known = new HashSet<>();
    byPid.forEach(each -> known.add(each.key()));
    Map<@Nullable ProcessKey, List<ProcessSnapshot>> children = new HashMap<>();
    for (ProcessSnapshot each : byPid) {
      ProcessKey parent = each.parentKey();
      children
          .computeIfAbsent(known.contains(parent) ? parent : null, any -> new ArrayList<>())
          .add(each);
    }
    addBelow(null, 0, children, lines);
    return lines;
  }

  private void addBelow(
      @Nullable ProcessKey parent,
      int depth,
      Map<@Nullable ProcessKey, List<ProcessSnapshot>> children,
      List<String> lines) {
    for (ProcessSnapshot each : children.getOrDefault(parent, List.of())) {
      lines.add(line(each, depth));
      addBelow(each.key(), depth + 1, children, lines);
    }
  }

  private String line(ProcessSnapshot process, int depth) {
    CommandText command = commands.of(process.image().capture(), process.comm());
    String text =
        command.arguments().isEmpty() ? command.name() : command.name() + " " + command.arguments();
    Integer parent = process.parentPid();
    return String.format(
        Locale.ROOT,
        FORMAT,
        process.key().pid(),
        parent == null ? "-" : parent,
        process.threads(),
        Instant.ofEpochSecond(process.startEpochNanos() / NANOS_PER_SECOND)
            .truncatedTo(ChronoUnit.SECONDS),
        "  ".repeat(depth) + text);
  }
}
