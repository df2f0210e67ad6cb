package io.lifespan.collector.tree;

import java.util.List;

/**
 * A recorded tree.
 *
 * @param nodes every process kept, parents before their children
 * @param nowNanos when it was taken, in nanoseconds of CLOCK_MONOTONIC
 * @param processes how many processes there were, kept or not
 * @param failed how many of them failed
 * @param eventsLost how many events were lost meanwhile
 */
public record ProcessTree(
    List<TreeNode> nodes, long nowNanos, long processes, long failed, long eventsLost) {

  List<TreeNode> roots() {
    return nodes.stream().filter(node -> node.parent() == null).toList();
  }

  /** How many processes are in no line of the tree since it was full. */
  long dropped() {
    return processes - nodes.size();
  }
}
