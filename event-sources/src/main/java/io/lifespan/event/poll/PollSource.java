package io.lifespan.event.poll;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.event.EventSink;
import io.lifespan.event.EventSource;
import io.lifespan.event.SourceCounters;
import io.lifespan.event.SourceStats;
import io.lifespan.event.Unavailable;
import io.lifespan.event.UnavailableException;
import io.lifespan.event.capture.OwnProc;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.Clocks;
import io.lifespan.libc.Epoll;
import io.lifespan.libc.SystemCallException;
import io.lifespan.libc.WakeableWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds processes by looking into /proc: in the pid namespace in which it is, without privileges.
 * It looks at once when a program is loaded, which inotify tells of, else from time to time. Of
 * each process found a pidfd tells the end to the millisecond, and from Linux 6.15 on how it ended.
 *
 * <p>What it cannot see: processes that end before it comes to look, parents that ended before, and
 * what was executed between two looks.
 */
public final class PollSource implements EventSource {

  private static final EnumSet<EventKind> KNOWN =
      EnumSet.of(EventKind.FORK, EventKind.EXEC, EventKind.EXIT);

  /** No process has this pid. */
  private static final long TRIGGERS = 0;

  private static final int OTHER_DESCRIPTORS = 256;
  private static final int DEFAULT_LIMIT = 1024;
  private static final String LIMIT = "Max open files";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long NOTHING_YET = -1;

  private final PollOptions options;
  private final ProcFsReader procFs;
  private final SourceCounters counters = new SourceCounters();
  private volatile @Nullable Opened opened;
  private long accountedNanos = NOTHING_YET;

  /**
   * Makes a source that does nothing until it is opened or probed.
   *
   * @param procFs only for the thread that polls
   */
  public PollSource(PollOptions options, ProcFsReader procFs) {
    this.options = options;
    this.procFs = procFs;
  }

  @Override
  public String name() {
    return "poll";
  }

  @Override
  public String limits() {
    return "misses processes that end within milliseconds; starts to 10 ms; no threads, no changes of"
        + " ids and names; exit codes of other users' processes from Linux 6.15 on";
  }

  @Override
  public Optional<Unavailable> probe() {
    return Optional.ofNullable(OwnProc.problem());
  }

  @Override
  public void open() throws UnavailableException {
    Unavailable unavailable = OwnProc.problem();
    if (unavailable != null) {
      throw new UnavailableException(unavailable);
    }
    try {
      Epoll epoll = new Epoll();
      WakeableWait waiting = waitingAt(epoll);
      Triggers triggers = new Triggers();
      triggers.addTo(epoll, TRIGGERS);
      Told told = new Told(options.selection(), counters);
      Processes processes =
          new Processes(procFs, epoll, triggers, told, options.clock(), maxPidFds());
      processes.populate();
      Pace pace = new Pace(options.interval().toNanos(), options.share(), System.nanoTime());
      opened = new Opened(epoll, waiting, triggers, told, processes, pace, new Clocks());
    } catch (SystemCallException failure) {
      throw new UnavailableException(
          new Unavailable(
              failure.call(),
              failure.errno(),
              "the kernel refused a call",
              "raise the limit of open files (ulimit -n)"));
    }
  }

  @Override
  public int poll(EventSink sink, int timeoutMillis) throws IOException {
    Opened source = opened();
    source.told.begin(sink);
    source.waiting.await(waitMillis(source, timeoutMillis));
    boolean signalled = takeEnds(source);
    account(source);
    long nowNanos = System.nanoTime();
    if (signalled) {
      source.triggers.drain();
      source.pace.signalled(nowNanos);
      if (nowNanos >= source.pace.dueNanos()) {
        source.processes.hasten(nowNanos);
      }
    }
    if (nowNanos >= source.processes.nextCheckNanos()) {
      source.processes.check(nowNanos);
    }
    if (nowNanos >= source.pace.dueNanos()) {
      boolean news = source.processes.look();
      account(source);
      source.pace.looked(System.nanoTime(), news);
    }
    return source.told.delivered();
  }

  @Override
  public void wakeup() {
    Opened source = opened;
    if (source != null) {
      source.waiting.wakeup();
    }
  }

  @Override
  public SourceStats stats() {
    Opened source = opened;
    if (source == null) {
      return counters.snapshot("not open");
    }
    EnumSet<EventKind> kinds = EnumSet.copyOf(options.selection().kinds());
    kinds.retainAll(KNOWN);
    String wanted =
        kinds.isEmpty()
            ? "nothing"
            : new EventSelection(kinds, options.selection().failedExitsOnly()).toString();
    return counters.snapshot(wanted + "; " + describe(source));
  }

  @Override
  public void close() {
    Opened source = opened;
    if (source != null) {
      source.processes.close();
      source.triggers.close();
      source.waiting.close();
      source.epoll.close();
    }
  }

  private static WakeableWait waitingAt(Epoll epoll) throws SystemCallException {
    try {
      return new WakeableWait(epoll.descriptor());
    } catch (SystemCallException failure) {
      epoll.close();
      throw failure;
    }
  }

  private static String describe(Opened source) {
    long shortest = source.processes.shortestLifeNanos();
    return String.format(
        Locale.ROOT,
        "looks every %.0f ms and when one of %d files is opened%s",
        source.pace.restNanos() / NANOS_PER_MILLI,
        source.triggers.files(),
        shortest == Long.MAX_VALUE
            ? ""
            : String.format(
                Locale.ROOT, "; shortest life seen %.0f ms", shortest / NANOS_PER_MILLI));
  }

  private static int waitMillis(Opened source, int timeoutMillis) {
    long nextNanos = Math.min(source.pace.dueNanos(), source.processes.nextCheckNanos());
    double millis = Math.ceil((nextNanos - System.nanoTime()) / NANOS_PER_MILLI);
    return (int) Math.max(0, Math.min(timeoutMillis, millis));
  }

  /** Takes what the pidfds say; returns whether a program was loaded. */
  private static boolean takeEnds(Opened source) {
    boolean signalled = false;
    for (int ready = source.epoll.take(); ready > 0; ready = source.epoll.take()) {
      boolean onlyTriggers = true;
      for (int i = 0; i < ready; i++) {
        long number = source.epoll.number(i);
        if (number == TRIGGERS) {
          signalled = true;
        } else {
          onlyTriggers = false;
          source.processes.signalled((int) number);
        }
      }
      if (onlyTriggers) {
        break;
      }
    }
    return signalled;
  }

  /** Takes to account what this thread has spent since it last did so. */
  private void account(Opened source) {
    long cpuNanos = source.clocks.threadCpuNanos();
    if (accountedNanos != NOTHING_YET) {
      source.pace.spent(System.nanoTime(), cpuNanos - accountedNanos);
    }
    accountedNanos = cpuNanos;
  }

  private static int maxPidFds() {
    int limit = DEFAULT_LIMIT;
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
        if (line.startsWith(LIMIT)) {
          limit = Integer.parseInt(line.substring(LIMIT.length()).strip().split(" ", 2)[0]);
        }
      }
    } catch (IOException | NumberFormatException unlimited) {
      limit = DEFAULT_LIMIT;
    }
    return Math.max(0, limit - OTHER_DESCRIPTORS);
  }

  private Opened opened() {
    Opened source = opened;
    if (source == null) {
      throw new IllegalStateException("not open");
    }
    return source;
  }

  private record Opened(
      Epoll epoll,
      WakeableWait waiting,
      Triggers triggers,
      Told told,
      Processes processes,
      Pace pace,
      Clocks clocks) {}
}
