package io.lifespan.collector.tree;

import java.util.List;

/** Draws when processes ran on the time axis of the whole run, two steps to a column. */
final class DurationBar {

  private final long firstNanos;
  private final long lengthNanos;
  private final int columns;
  private final boolean unicode;

  /**
   * @param firstNanos the left end of the axis
   * @param lastNanos the right end
   * @param columns how wide it is drawn
   */
  DurationBar(long firstNanos, long lastNanos, int columns, boolean unicode) {
    this.firstNanos = firstNanos;
    this.lengthNanos = Math.max(1, lastNanos - firstNanos);
    this.columns = columns;
    this.unicode = unicode;
  }

  /** One bar for all of them: marked wherever one of them ran; never empty. */
  String draw(List<TreeNode> processes, long nowNanos) {
    boolean[] halves = new boolean[2 * columns];
    for (TreeNode process : processes) {
      int from = Math.min(step(process.startNanos()), halves.length - 1);
      int to = Math.max(from + 1, step(process.endNanos(nowNanos)));
      for (int i = from; i < Math.min(to, halves.length); i++) {
        halves[i] = true;
      }
    }
    StringBuilder bar = new StringBuilder(columns);
    for (int column = 0; column < columns; column++) {
      bar.append(mark(halves[2 * column], halves[2 * column + 1]));
    }
    return bar.toString();
  }

  private int step(long nanos) {
    double share = (nanos - firstNanos) / (double) lengthNanos;
    return (int) Math.round(Math.max(0, Math.min(1, share)) * 2 * columns);
  }

  private char mark(boolean left, boolean right) {
    if (!left && !right) {
      return ' ';
    }
    if (!unicode) {
      return '#';
    }
    if (left && right) {
      return '\u2588';
    }
    return left ? '\u258c' : '\u2590';
  }
}
