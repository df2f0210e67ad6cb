package io.lifespan.collector.tree;

import io.lifespan.event.ProcessEvent;
import io.lifespan.process.Image;
import io.lifespan.process.LifecycleListener;
import io.lifespan.process.Observed;
import io.lifespan.process.TrackedProcess;
import io.lifespan.process.WaitStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes down the tree of processes while they live, for {@link TreeRenderer}. Its memory is
 * bounded: processes beyond {@link #MAX_PROCESSES} are only counted, and arguments are kept for as
 * many as fit into {@link #MAX_ARGUMENT_CHARACTERS}.
 *
 * <p>To be called from one thread.
 */
public final class TreeRecorder implements LifecycleListener {

  /** How many processes are kept. */
  public static final int MAX_PROCESSES = 100_000;

  /** How many characters of arguments are kept in all. */
  static final int MAX_ARGUMENT_CHARACTERS = 4_000_000;

  private final Function<TrackedProcess, CommandText> commands;
  private final int maxProcesses;
  private final List<TreeNode> nodes = new ArrayList<>();
  private final Map<Integer, TreeNode> newestByPid = new HashMap<>();
  private int argumentCharacters;
  private long started;
  private long failed;
  private long eventsLost;

  /**
   * @param commands gives the text of what a process runs
   */
  public TreeRecorder(Function<TrackedProcess, CommandText> commands) {
    this(commands, MAX_PROCESSES);
  }

  TreeRecorder(Function<TrackedProcess, CommandText> commands, int maxProcesses) {
    this.commands = commands;
    this.maxProcesses = maxProcesses;
  }

  @Override
  public void started(TrackedProcess process, @Nullable TrackedProcess parent) {
    started++;
    int pid = process.key().pid();
    if (nodes.size() >= maxProcesses) {
      newestByPid.remove(pid);
      return;
    }
    TreeNode parentNode = parent == null ? null : newestByPid.get(parent.key().pid());
    CommandText inherited = parentNode == null ? shown(process) : parentNode.command();
    TreeNode node = new TreeNode(parentNode, inherited, process.startNanos());
    if (process.execGeneration() > 0 || showsAnother(process, inherited)) {
      node.execute(shown(process));
    }
    nodes.add(node);
    newestByPid.put(pid, node);
  }

  @Override
  public void executed(TrackedProcess process) {
    TreeNode node = newestByPid.get(process.key().pid());
    if (node != null) {
      node.execute(shown(process));
    }
  }

  @Override
  public void ended(TrackedProcess process) {
    Outcome outcome = outcome(process);
    if (outcome.failed()) {
      failed++;
    }
    TreeNode node = newestByPid.get(process.key().pid());
    if (node != null) {
      node.end(process.endNanos(), outcome);
    }
  }

  @Override
  public void eventsLost(ProcessEvent.Loss loss) {
    eventsLost += loss.count();
  }

  /**
   * What was recorded so far. To be called on the thread that records, or after it has ended.
   *
   * @param nowNanos up to when processes that have not ended are drawn, in nanoseconds of
   *     CLOCK_MONOTONIC
   */
  public ProcessTree tree(long nowNanos) {
    return new ProcessTree(List.copyOf(nodes), nowNanos, started, failed, eventsLost);
  }

  /** What was found in /proc may have executed something before that. */
  private boolean showsAnother(TrackedProcess process, CommandText inherited) {
    return process.startObserved() == Observed.PROC
        && process.image() != Image.UNKNOWN
        && !commands.apply(process).equals(inherited);
  }

  private CommandText shown(TrackedProcess process) {
    CommandText command = commands.apply(process);
    argumentCharacters += command.arguments().length();
    return argumentCharacters <= MAX_ARGUMENT_CHARACTERS
        ? command
        : new CommandText(command.name(), "");
  }

  private static Outcome outcome(TrackedProcess process) {
    if (process.endObserved() == Observed.NOT_YET) {
      return Outcome.RUNNING;
    }
    WaitStatus status = process.status();
    return status == null ? Outcome.UNKNOWN : Outcome.of(status);
  }
}
