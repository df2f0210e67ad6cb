package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts, for each name of a program, the processes it made, the programs executed under it and the
 * processes that ended with it: a server that makes workers over and over shows by its forks. The
 * count of one process is its {@link TrackedProcess#forks()}.
 *
 * <p>Names are bounded: those that come when there are too many share {@link #OTHER}. Belongs to
 * the thread of its table.
 */
public final class ForkCounter implements LifecycleListener {

  /** The name that stands for all names past the bound. */
  public static final Bytes OTHER = Bytes.of("_OTHER_");

  /** The name that stands for processes whose name is unknown. */
  public static final Bytes UNKNOWN = Bytes.EMPTY;

  private final int maxNames;
  private final Map<Bytes, Counts> counts = new HashMap<>();

  /**
   * @param maxNames how many names are counted apart
   */
  public ForkCounter(int maxNames) {
    this.maxNames = maxNames;
  }

  /**
   * What was counted under one name.
   *
   * @param forks processes made by processes of this name (threads do not count)
   * @param execs times that a program of this name was executed
   * @param exits processes that had this name when they ended
   */
  public record Totals(long forks, long execs, long exits) {}

  /** The totals by name, as of now. */
  public Map<Bytes, Totals> totals() {
    Map<Bytes, Totals> totals = new HashMap<>();
    counts.forEach(
        (name, each) -> totals.put(name, new Totals(each.forks, each.execs, each.exits)));
    return totals;
  }

  @Override
  public void started(TrackedProcess process, @Nullable TrackedProcess parent) {
    if (parent != null && process.startObserved() == Observed.EVENT) {
      of(parent.comm()).forks++;
    }
  }

  @Override
  public void executed(TrackedProcess process) {
    of(process.comm()).execs++;
  }

  @Override
  public void ended(TrackedProcess process) {
    if (process.endObserved() != Observed.NOT_YET) {
      of(process.comm()).exits++;
    }
  }

  private Counts of(@Nullable Bytes comm) {
    Bytes name = comm == null ? UNKNOWN : comm;
    Counts known = counts.get(name);
    if (known != null) {
      return known;
    }
    return counts.computeIfAbsent(counts.size() < maxNames ? name : OTHER, any -> new Counts());
  }

  private static final class Counts {
    long forks;
    long execs;
    long exits;
  }
}
