package io.lifespan.collector.tree;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One process in the tree. Written by its recorder only. */
final class TreeNode {

  private final @Nullable TreeNode parent;
  private final long startNanos;
  private List<TreeNode> children = List.of();
  private CommandText command;
  private boolean executed;
  private long endNanos;
  private Outcome outcome = Outcome.RUNNING;

  /**
   * @param parent the process that made it; null for a root
   * @param command what it runs until it executes something else: its parent's
   */
  TreeNode(@Nullable TreeNode parent, CommandText command, long startNanos) {
    this.parent = parent;
    this.command = command;
    this.startNanos = startNanos;
    this.endNanos = startNanos;
    if (parent != null) {
      parent.add(this);
    }
  }

  private void add(TreeNode child) {
    if (children.isEmpty()) {
      children = new ArrayList<>(2);
    }
    children.add(child);
  }

  void execute(CommandText program) {
    command = program;
    executed = true;
  }

  void end(long nanos, Outcome how) {
    endNanos = Math.max(startNanos, nanos);
    outcome = how;
  }

  @Nullable TreeNode parent() {
    return parent;
  }

  List<TreeNode> children() {
    return children;
  }

  /** Name of what it ran last; in parentheses if it was forked and executed nothing. */
  String name() {
    return executed ? command.name() : "(" + command.name() + ")";
  }

  CommandText command() {
    return command;
  }

  /** The arguments of what it executed; empty if it executed nothing. */
  String arguments() {
    return executed ? command.arguments() : "";
  }

  long startNanos() {
    return startNanos;
  }

  /** Its end; of one that runs, the time given. */
  long endNanos(long now) {
    return outcome.equals(Outcome.RUNNING) ? Math.max(startNanos, now) : endNanos;
  }

  Outcome outcome() {
    return outcome;
  }
}
