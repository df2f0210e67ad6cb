package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts, for each name of an executable, the processes it made, the times it was executed and the
 * processes that ended with it: a server that makes workers over and over shows by its forks. The
 * count of one process is its {@link TrackedProcess#forks()}.
 *
 * <p>Names are bounded: those that come when there are too many share {@link #OTHER}. Told by the
 * thread of its table; {@link #totals()} may be asked for on any.
 */
public final class ForkCounter implements LifecycleListener {

  /** The name that stands for all names past the bound. */
  public static final Bytes OTHER = Bytes.of("_OTHER_");

  /** The name that stands for processes whose name is unknown. */
  public static final Bytes UNKNOWN = Bytes.EMPTY;

  private final int maxNames;
  private final Map<Bytes, Counts> counts = new ConcurrentHashMap<>();
  private int names;

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
  public record Totals(long forks, long execs, long exits) {

    /** What was counted after these. */
    public Totals since(Totals earlier) {
      return new Totals(forks - earlier.forks, execs - earlier.execs, exits - earlier.exits);
    }
  }

  /**
   * The totals by the name of the executable ({@link Image#executableName()}), as of now. They only
   * grow.
   */
  public Map<Bytes, Totals> totals() {
    Map<Bytes, Totals> totals = new HashMap<>();
    counts.forEach((name, each) -> totals.put(name, each.totals()));
    return totals;
  }

  @Override
  public void started(TrackedProcess process, @Nullable TrackedProcess parent) {
    if (parent != null && process.startObserved() == Observed.EVENT) {
      add(of(parent).forks);
    }
  }

  @Override
  public void startConfirmed(TrackedProcess process, @Nullable TrackedProcess parent) {
    if (parent != null) {
      add(of(parent).forks);
    }
  }

  @Override
  public void executed(TrackedProcess process) {
    add(of(process).execs);
  }

  @Override
  public void ended(TrackedProcess process) {
    if (process.endObserved() != Observed.NOT_YET) {
      add(of(process).exits);
    }
  }

  private Counts of(TrackedProcess process) {
    Bytes known = process.image().executableName();
    Bytes name = known == null ? UNKNOWN : known;
    Counts counted = counts.get(name);
    if (counted == null) {
      counted = names < maxNames ? fresh(name) : counts.get(OTHER);
    }
    return counted == null ? fresh(OTHER) : counted;
  }

  private Counts fresh(Bytes name) {
    Counts fresh = new Counts();
    counts.put(name, fresh);
    names++;
    return fresh;
  }

  /** Only one thread adds. */
  private static void add(AtomicLong count) {
    count.setRelease(count.getPlain() + 1);
  }

  private static final class Counts {
    final AtomicLong forks = new AtomicLong();
    final AtomicLong execs = new AtomicLong();
    final AtomicLong exits = new AtomicLong();

    Totals totals() {
      return new Totals(forks.get(), execs.get(), exits.get());
    }
  }
}
