package io.lifespan.collector.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Draws a recorded tree: a line for each process with name, arguments, a bar on the time axis of
 * the whole run, duration and outcome; what looks alike is folded into one line when the tree is
 * long. Pure: tree in, lines out.
 */
public final class TreeRenderer {

  private static final int FOLD_ABOVE_PROCESSES = 40;
  private static final int MAX_LINES = 1000;
  private static final int DURATION_COLUMNS = 9;
  private static final int MIN_LABEL_COLUMNS = 8;
  private static final int MIN_LABEL_COLUMNS_BESIDE_BAR = 20;
  private static final String RED = "\u001b[31m";
  private static final String PLAIN = "\u001b[0m";

  private final TreeStyle style;
  private final String branch;
  private final String lastBranch;
  private final String trunk;
  private final String times;
  private final char cutMark;

  /** A line before its columns are known. */
  private record Line(String prefix, List<TreeNode> processes, int hidden) {}

  public TreeRenderer(TreeStyle style) {
    this.style = style;
    boolean unicode = style.unicode();
    branch = unicode ? "\u251c\u2500 " : "|- ";
    lastBranch = unicode ? "\u2514\u2500 " : "`- ";
    trunk = unicode ? "\u2502  " : "|  ";
    times = unicode ? " \u00d7 " : " x ";
    cutMark = unicode ? '\u2026' : '~';
  }

  /** The lines to print, the last one a summary; without line ends. */
  public List<String> render(ProcessTree tree) {
    Folding folding = new Folding(tree.nodes(), tree.nodes().size() > FOLD_ABOVE_PROCESSES);
    List<Line> lines = new ArrayList<>();
    for (List<TreeNode> group : folding.fold(tree.roots())) {
      addLines(folding, group, "", "", lines);
    }
    List<String> text = new ArrayList<>(draw(lines, tree));
    text.add(summary(tree, folding, lines));
    return text;
  }

  private void addLines(
      Folding folding, List<TreeNode> group, String prefix, String childPrefix, List<Line> lines) {
    if (lines.size() >= MAX_LINES) {
      return;
    }
    lines.add(new Line(prefix, group, 0));
    List<TreeNode> children = new ArrayList<>();
    for (TreeNode process : group) {
      children.addAll(process.children());
    }
    if (children.isEmpty()) {
      return;
    }
    if (childPrefix.length() > style.columns() / 3) {
      lines.add(new Line(childPrefix + lastBranch, children, folding.size(children)));
      return;
    }
    List<List<TreeNode>> groups = folding.fold(children);
    for (int i = 0; i < groups.size(); i++) {
      boolean last = i == groups.size() - 1;
      addLines(
          folding,
          groups.get(i),
          childPrefix + (last ? lastBranch : branch),
          childPrefix + (last ? "   " : trunk),
          lines);
    }
  }

  private List<String> draw(List<Line> lines, ProcessTree tree) {
    int outcomeColumns = 0;
    for (Line line : lines) {
      outcomeColumns = Math.max(outcomeColumns, outcome(line).text().length());
    }
    int fixed = 1 + DURATION_COLUMNS + (outcomeColumns == 0 ? 0 : 1 + outcomeColumns);
    int barColumns = style.columns() >= 100 ? 24 : 12;
    if (style.columns() - fixed - barColumns - 1 < MIN_LABEL_COLUMNS_BESIDE_BAR) {
      barColumns = 0;
    } else {
      fixed += 1 + barColumns;
    }
    int labelColumns = Math.max(MIN_LABEL_COLUMNS, style.columns() - fixed);
    DurationBar bar = new DurationBar(first(tree), last(tree), barColumns, style.unicode());
    List<String> text = new ArrayList<>(lines.size());
    for (Line line : lines) {
      text.add(draw(line, labelColumns, barColumns == 0 ? null : bar, tree.nowNanos()));
    }
    return text;
  }

  private String draw(Line line, int labelColumns, @Nullable DurationBar bar, long nowNanos) {
    String label = label(line, labelColumns - DisplayText.width(line.prefix()));
    StringBuilder text = new StringBuilder();
    text.append(DisplayText.pad(line.prefix() + label, labelColumns));
    if (bar != null) {
      text.append(' ').append(bar.draw(line.processes(), nowNanos));
    }
    long nanos = 0;
    for (TreeNode process : line.processes()) {
      nanos += process.endNanos(nowNanos) - process.startNanos();
    }
    String duration = Durations.text(nanos);
    text.append(' ').append(" ".repeat(Math.max(0, DURATION_COLUMNS - duration.length())));
    text.append(duration).append(' ').append(outcome(line).text());
    String drawn = text.toString().stripTrailing();
    return style.colour() && outcome(line).failed()
        ? line.prefix() + RED + drawn.substring(line.prefix().length()) + PLAIN
        : drawn;
  }

  private String label(Line line, int columns) {
    if (line.hidden() > 0) {
      return DisplayText.cut(cutMark + " " + number(line.hidden()) + " more", columns, cutMark);
    }
    TreeNode process = line.processes().get(0);
    int count = line.processes().size();
    String arguments = process.arguments();
    boolean same = line.processes().stream().allMatch(other -> other.arguments().equals(arguments));
    String command =
        !same || arguments.isEmpty() ? process.name() : process.name() + " " + arguments;
    String suffix = count == 1 ? "" : times + number(count);
    return DisplayText.cut(command, columns - suffix.length(), cutMark) + suffix;
  }

  private static Outcome outcome(Line line) {
    return line.hidden() > 0 ? Outcome.SUCCESS : line.processes().get(0).outcome();
  }

  private static String summary(ProcessTree tree, Folding folding, List<Line> lines) {
    StringBuilder text = new StringBuilder(counted(tree.processes(), "process"));
    if (tree.failed() > 0) {
      text.append(", ").append(number(tree.failed())).append(" failed");
    }
    long running = tree.nodes().stream().filter(n -> n.outcome().equals(Outcome.RUNNING)).count();
    if (running > 0) {
      text.append(", ").append(number(running)).append(" still running");
    }
    text.append(", ").append(Durations.text(last(tree) - first(tree)));
    long unseen = tree.processes() - shown(folding, lines);
    if (unseen > 0) {
      text.append(", ").append(number(unseen)).append(" not shown");
    }
    if (tree.eventsLost() > 0) {
      text.append(", ").append(counted(tree.eventsLost(), "event")).append(" lost");
    }
    return text.toString();
  }

  private static long shown(Folding folding, List<Line> lines) {
    long shown = 0;
    for (Line line : lines) {
      shown += line.hidden() > 0 ? folding.size(line.processes()) : line.processes().size();
    }
    return shown;
  }

  private static long first(ProcessTree tree) {
    return tree.nodes().stream().mapToLong(TreeNode::startNanos).min().orElse(0);
  }

  private static long last(ProcessTree tree) {
    return tree.nodes().stream().mapToLong(n -> n.endNanos(tree.nowNanos())).max().orElse(0);
  }

  private static String counted(long count, String noun) {
    String plural = noun.endsWith("s") ? noun + "es" : noun + "s";
    return number(count) + " " + (count == 1 ? noun : plural);
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
