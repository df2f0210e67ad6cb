package io.lifespan.collector.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Makes one of siblings that look alike: the same name and outcome, and children that look alike.
 * Without it a build of 800 files is 2,400 lines.
 */
final class Folding {

  /** Fewer alike are left as they are. */
  private static final int MIN_ALIKE = 3;

  private final boolean enabled;
  private final IdentityHashMap<TreeNode, Integer> shapes = new IdentityHashMap<>();
  private final IdentityHashMap<TreeNode, Integer> sizes = new IdentityHashMap<>();

  private record Shape(String name, Outcome outcome, TreeSet<Integer> children) {}

  /**
   * @param nodes every process, parents before their children
   * @param enabled false leaves every process in a line of its own
   */
  Folding(List<TreeNode> nodes, boolean enabled) {
    this.enabled = enabled;
    Map<Shape, Integer> known = new HashMap<>();
    for (int i = nodes.size() - 1; i >= 0; i--) {
      TreeNode node = nodes.get(i);
      TreeSet<Integer> children = new TreeSet<>();
      int size = 1;
      for (TreeNode child : node.children()) {
        children.add(shapes.getOrDefault(child, -1));
        size += sizes.getOrDefault(child, 0);
      }
      Shape shape = new Shape(node.name(), node.outcome(), children);
      shapes.put(node, known.computeIfAbsent(shape, unknown -> known.size()));
      sizes.put(node, size);
    }
  }

  /** Siblings as groups of those that look alike, in the order of their first ones. */
  List<List<TreeNode>> fold(List<TreeNode> siblings) {
    Map<Integer, List<TreeNode>> alike = new LinkedHashMap<>();
    for (TreeNode node : siblings) {
      alike.computeIfAbsent(shapes.getOrDefault(node, -1), none -> new ArrayList<>()).add(node);
    }
    List<List<TreeNode>> groups = new ArrayList<>();
    for (TreeNode node : siblings) {
      List<TreeNode> group = alike.getOrDefault(shapes.getOrDefault(node, -1), List.of());
      if (!enabled || group.size() < MIN_ALIKE) {
        groups.add(List.of(node));
      } else if (group.get(0) == node) {
        groups.add(group);
      }
    }
    return groups;
  }

  /** How many processes are in the subtrees of these, themselves included. */
  int size(List<TreeNode> nodes) {
    return nodes.stream().mapToInt(node -> sizes.getOrDefault(node, 1)).sum();
  }
}
