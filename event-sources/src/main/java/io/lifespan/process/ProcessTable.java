package io.lifespan.process;

import io.lifespan.event.ProcessEvent;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pid cache: follows every process from its start to the end of its last thread, in whatever
 * order events come, and tells {@link LifecycleListener}s.
 *
 * <p>Not thread-safe: one thread owns it. It never throws on what events say; what does not fit is
 * counted in {@link #stats()}.
 *
 * <ul>
 *   <li>A process is a thread group. Threads are counted, and are over with it; the exit of its
 *       first thread is not its end.
 *   <li>Its parent is the one in the fork event. Who adopts it later shows at its exit only.
 *   <li>Its end is told a little later than it is seen, so that events of other processors that
 *       come late still count.
 * </ul>
 */
public final class ProcessTable {

  private static final long CLOCK_NANOS = 1_000_000_000;
  private static final long REPAIR_NANOS = 250_000_000;
  private static final long LOOK_NANOS = 10_000_000_000L;

  /** Between two looks at /proc so many times what one took. */
  private static final long LOOK_REST = 100;

  private final TableOptions options;
  private final Supplier<KernelClock> clocks;
  private final List<LifecycleListener> listeners;
  private final Counters counters = new Counters();
  private final Members members;
  private final Births births;
  private final Execs execs;
  private final Changes changes;
  private final Ends ends;
  private final Repair repair;
  private long nextClockNanos = Long.MIN_VALUE;
  private long nextRepairNanos = Long.MIN_VALUE;
  private long nextLookNanos = Long.MIN_VALUE;
  private boolean repairDue;

  /**
   * @param reader asked about processes that events do not explain
   * @param clocks measures the offsets between the kernel's clocks; asked once a second, so that a
   *     step of the wall clock is followed by processes that start after it, and by no others
   * @param listeners told in this order
   */
  public ProcessTable(
      TableOptions options,
      ProcReader reader,
      Supplier<KernelClock> clocks,
      List<LifecycleListener> listeners) {
    this.options = options;
    this.clocks = clocks;
    this.listeners = List.copyOf(listeners);
    this.members = new Members(options, counters, this.listeners);
    Images images = new Images();
    this.births = new Births(members, images, counters, this.listeners, clocks.get());
    this.execs = new Execs(members, images, counters, this.listeners);
    this.changes = new Changes(options, members, counters, this.listeners);
    this.ends = new Ends(options, members, births, counters, reader);
    this.repair = new Repair(options, members, births, reader);
  }

  /**
   * Finds every process alive. For the start: after the sources are subscribed, before the first
   * event is applied.
   */
  public void populate(long nowNanos) {
    repair.scan(nowNanos);
    nextLookNanos = nowNanos + LOOK_NANOS;
  }

  /**
   * Takes a process that is alive, whose descendants are then followed: the root of a {@link
   * TableOptions.Scope#SUBTREE}.
   *
   * @param startTicks its start as /proc/PID/stat tells it
   * @param parentPid pid of the process that made it
   * @param commandLine the arguments of the first program it will execute, each ended by a NUL:
   *     told where they cannot be read in time; null if unknown
   */
  public TrackedProcess adoptRoot(
      int pid, long startTicks, int parentPid, @Nullable Bytes commandLine) {
    TrackedProcess process = births.adopt(pid, startTicks, parentPid);
    process.givenCommandLine = commandLine;
    return process;
  }

  /** Takes one event. */
  public void apply(ProcessEvent event) {
    members.settle(event.timeNanos());
    if (event instanceof ProcessEvent.Fork fork) {
      fork(fork);
    } else if (event instanceof ProcessEvent.Exec exec) {
      exec(exec);
    } else if (event instanceof ProcessEvent.Exit exit) {
      ends.exit(exit);
    } else if (event instanceof ProcessEvent.Found found) {
      found(found);
    } else if (event instanceof ProcessEvent.Gone gone) {
      ends.gone(gone);
    } else if (event instanceof ProcessEvent.Loss loss) {
      lost(loss);
    } else {
      changes.change(event);
    }
  }

  /**
   * Does what is due by a time: tells ends that have settled, repairs after losses, looks after
   * processes whose first thread has left, and where not every start and end is told, takes from
   * /proc every ten seconds who is alive. To be called several times a second, also while no events
   * come.
   *
   * @param nowNanos the present time of CLOCK_MONOTONIC
   */
  public void tick(long nowNanos) {
    if (nowNanos >= nextClockNanos) {
      births.setClock(clocks.get());
      nextClockNanos = nowNanos + CLOCK_NANOS;
    }
    if (repairDue && nowNanos >= nextRepairNanos) {
      repairDue = false;
      nextRepairNanos = nowNanos + REPAIR_NANOS;
      counters.resyncs++;
      repair.scan(nowNanos);
    }
    if (!options.wholeLives() && nowNanos >= nextLookNanos) {
      long begin = System.nanoTime();
      repair.scan(nowNanos);
      long spent = System.nanoTime() - begin;
      nextLookNanos = nowNanos + Math.max(LOOK_NANOS, LOOK_REST * spent);
    }
    ends.tick(nowNanos);
    members.settle(nowNanos);
  }

  /**
   * Tells every end seen so far without waiting for late events. For the moment after the last
   * event.
   */
  public void settleAll() {
    ends.expireOrphans(Long.MAX_VALUE);
    members.settleAll();
  }

  /**
   * Ends the watch: every process still alive is told as ended with {@link Observed#NOT_YET} and no
   * status.
   */
  public void endWatch(long nowNanos) {
    settleAll();
    for (TrackedProcess process : members.allAlive()) {
      process.endNanos = Math.max(nowNanos, process.startNanos);
      process.endObserved = Observed.NOT_YET;
      for (LifecycleListener listener : listeners) {
        listener.ended(process);
      }
    }
  }

  /** The process alive with this pid, or null. */
  public @Nullable TrackedProcess find(int pid) {
    return members.find(pid);
  }

  /** Every process alive, in no particular order. */
  public List<ProcessSnapshot> snapshot() {
    return members.allAlive().stream().map(ProcessSnapshot::of).toList();
  }

  /**
   * Shows every process alive, in no particular order, without making anything: for what has to
   * look at all of them again and again. They are the table's own, as for a {@link
   * LifecycleListener}.
   */
  public void forEachAlive(Consumer<TrackedProcess> visitor) {
    members.forEachAlive(visitor);
  }

  /** How many processes are alive. */
  public int alive() {
    return members.alive();
  }

  /** Counters as of now. */
  public TableStats stats() {
    return counters.snapshot(members.alive());
  }

  private void fork(ProcessEvent.Fork fork) {
    if (!fork.isProcess()) {
      threadCreated(fork);
      return;
    }
    TrackedProcess parent = members.findAny(fork.parentTgid());
    if (parent == null && options.scope() == TableOptions.Scope.NODE) {
      parent = repair.discover(fork.parentTgid(), fork.timeNanos());
    }
    TrackedProcess known = members.find(fork.childTgid());
    if (known == null && parent == null && options.scope() == TableOptions.Scope.SUBTREE) {
      counters.outOfScope++;
      return;
    }
    if (known != null) {
      if (births.confirm(known, fork, parent)) {
        counters.hits++;
        return;
      }
      if (fork.timeNanos() <= known.startNanos) {
        counters.late++;
        return;
      }
      ends.missed(known, fork.timeNanos());
    }
    ends.endFormer(fork.childTgid(), fork.timeNanos());
    ends.endIfExited(births.fork(fork, parent));
  }

  private void found(ProcessEvent.Found found) {
    Bytes text = found.capture().get(ProcFile.STAT);
    ProcStat stat = text == null ? null : ProcStat.parse(text);
    if (stat == null) {
      return;
    }
    TrackedProcess known = members.find(found.pid());
    if (known != null && known.startedAt(stat.startTicks())) {
      counters.hits++;
      return;
    }
    if (known != null) {
      ends.missed(known, found.timeNanos());
    }
    if (options.scope() == TableOptions.Scope.SUBTREE
        && members.findAny(stat.parentPid()) == null) {
      counters.outOfScope++;
      return;
    }
    births.discover(found.pid(), found.capture(), found.timeNanos());
  }

  private void threadCreated(ProcessEvent.Fork fork) {
    TrackedProcess process = members.find(fork.childTgid());
    if (process == null) {
      TrackedProcess ended = members.findEnded(fork.childTgid());
      if (ended == null || fork.timeNanos() > ended.endNanos || !members.revive(ended)) {
        counters.unknown(options.scope());
        return;
      }
      process = ended;
      ends.watch(process);
    }
    counters.hits++;
    if (fork.timeNanos() > process.threadsReadNanos) {
      members.setThreads(process, process.threads + 1);
    }
  }

  private void exec(ProcessEvent.Exec exec) {
    TrackedProcess process = members.find(exec.tgid());
    if (process == null) {
      process = executedByUnknown(exec);
      if (process == null) {
        counters.unknown(options.scope());
        return;
      }
    } else {
      counters.hits++;
    }
    execs.exec(process, exec);
  }

  private @Nullable TrackedProcess executedByUnknown(ProcessEvent.Exec exec) {
    if (options.scope() == TableOptions.Scope.SUBTREE || exec.capture() == null) {
      return null;
    }
    return births.discover(exec.tgid(), exec.capture(), exec.timeNanos());
  }

  private void lost(ProcessEvent.Loss loss) {
    counters.eventsLost += loss.count();
    repairDue = true;
    for (LifecycleListener listener : listeners) {
      listener.eventsLost(loss);
    }
  }
}
