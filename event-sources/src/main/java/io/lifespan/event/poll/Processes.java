package io.lifespan.event.poll;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.libc.Epoll;
import io.lifespan.libc.PidFd;
import io.lifespan.libc.RawFiles;
import io.lifespan.process.KernelClock;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every process that /proc shows. New ones are found by a look; their ends are told by a pidfd;
 * that they executed something shows when they are looked at again: soon and often while they are
 * young, then now and then.
 */
final class Processes implements AutoCloseable {

  /** After how long a young process is looked at again. */
  private static final long[] CHECK_NANOS = {
    1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000, 300_000_000, 1_000_000_000
  };

  /** How many old ones are looked at again with each look. */
  private static final int OLD_CHECKS = 8;

  /** How long a process that has ended may wait to be reaped before its end is told without how. */
  private static final long REAP_NANOS = 1_000_000_000;

  private static final int READ_ATTEMPTS = 3;

  private static final int MAX_YOUNG_HASTENED = 200;

  private final ProcFsReader procFs;
  private final Epoll epoll;
  private final Triggers triggers;
  private final Told told;
  private final KernelClock clock;
  private final int maxPidFds;
  private final PidFd pidFds = new PidFd();
  private final Map<Integer, Watched> known = new HashMap<>();
  private final List<Watched> young = new ArrayList<>();
  private final ArrayDeque<Watched> old = new ArrayDeque<>();
  private final List<Watched> unreaped = new ArrayList<>();
  private int openPidFds;
  private int looks;
  private boolean news;
  private long nextCheckNanos = Long.MAX_VALUE;
  private volatile long shortestLifeNanos = Long.MAX_VALUE;

  /**
   * @param maxPidFds how many descriptors may be open; the ends of further processes are found
   */
  Processes(
      ProcFsReader procFs,
      Epoll epoll,
      Triggers triggers,
      Told told,
      KernelClock clock,
      int maxPidFds) {
    this.procFs = procFs;
    this.epoll = epoll;
    this.triggers = triggers;
    this.told = told;
    this.clock = clock;
    this.maxPidFds = maxPidFds;
  }

  /** Takes what is alive by now as known. */
  void populate() {
    looks++;
    procFs.list(pid -> add(pid, procFs.readIdentity(pid), openPidFd(pid)));
    old.addAll(known.values());
    young.clear();
    nextCheckNanos = Long.MAX_VALUE;
  }

  /** When {@link #check} has something to do. */
  long nextCheckNanos() {
    return nextCheckNanos;
  }

  /** The shortest life that was seen as a whole; {@link Long#MAX_VALUE} if none was. */
  long shortestLifeNanos() {
    return shortestLifeNanos;
  }

  /** Finds what is new and what is gone; returns whether there was anything. */
  boolean look() {
    looks++;
    news = false;
    procFs.list(this::seen);
    for (Iterator<Watched> all = known.values().iterator(); all.hasNext(); ) {
      Watched each = all.next();
      if (each.seen != looks && (each.told || each.pidFd == Watched.NONE)) {
        all.remove();
        if (!each.told) {
          tellEnd(each, System.nanoTime(), null, false);
        }
      }
    }
    checkOld();
    return news;
  }

  /** The pidfd of a process has something to say. */
  void signalled(int pid) {
    Watched process = known.get(pid);
    if (process == null || process.pidFd == Watched.NONE) {
      return;
    }
    if (!process.ended) {
      process.ended = true;
      process.endNanos = System.nanoTime();
      ProcStat stat = stat(procFs.readStat(pid));
      if (stat != null && stat.startTicks() == process.startTicks && stat.isDead()) {
        Integer status = process.identity.readable() ? stat.exitStatus() : null;
        if (status == null) {
          unreaped.add(process);
          nextCheckNanos = Math.min(nextCheckNanos, process.endNanos + REAP_NANOS);
          return;
        }
        tellEnd(process, process.endNanos, status, true);
        return;
      }
    }
    tellEnd(process, process.endNanos, pidFds.exitStatus(process.pidFd), true);
    unreaped.remove(process);
  }

  /** Something was executed: the young are to be looked at again. */
  void hasten(long nowNanos) {
    if (young.size() <= MAX_YOUNG_HASTENED) {
      for (Watched each : young) {
        each.nextCheckNanos = nowNanos;
      }
      nextCheckNanos = young.isEmpty() ? nextCheckNanos : nowNanos;
    }
  }

  /** Looks again at what is due. */
  void check(long nowNanos) {
    if (nowNanos < nextCheckNanos) {
      return;
    }
    nextCheckNanos = Long.MAX_VALUE;
    young.removeIf(each -> checkYoung(each, nowNanos));
    for (Iterator<Watched> all = unreaped.iterator(); all.hasNext(); ) {
      Watched each = all.next();
      if (nowNanos - each.endNanos >= REAP_NANOS) {
        all.remove();
        tellEnd(each, each.endNanos, null, true);
      } else {
        nextCheckNanos = Math.min(nextCheckNanos, each.endNanos + REAP_NANOS);
      }
    }
  }

  @Override
  public void close() {
    for (Watched each : known.values()) {
      closePidFd(each);
    }
  }

  private void seen(int pid) {
    Watched process = known.get(pid);
    if (process != null && (process.ended || process.pidFd == Watched.NONE)) {
      ProcStat stat = stat(procFs.readStat(pid));
      if (stat == null || isAnother(process, stat)) {
        known.remove(pid);
        if (!process.told) {
          unreaped.remove(process);
          tellEnd(process, process.ended ? process.endNanos : System.nanoTime(), null, false);
        }
        process = null;
      }
    }
    if (process == null) {
      find(pid);
    } else {
      process.seen = looks;
    }
  }

  private static boolean isAnother(Watched process, ProcStat stat) {
    return stat.startTicks() != process.startTicks || (process.ended && !stat.isDead());
  }

  private void find(int pid) {
    int pidFd = openPidFd(pid);
    ProcCapture capture = read(pid);
    Watched process = add(pid, capture, pidFd);
    if (process == null) {
      return;
    }
    news = true;
    long nowNanos = System.nanoTime();
    told.tell(new ProcessEvent.Found(nowNanos, pid, capture));
    ProcStat stat = stat(capture);
    if (stat != null && stat.threadsAlive() == 0) {
      process.ended = true;
      tellEnd(process, nowNanos, process.identity.readable() ? stat.exitStatus() : null, false);
      return;
    }
    process.nextCheckNanos = nowNanos + CHECK_NANOS[0];
    nextCheckNanos = Math.min(nextCheckNanos, process.nextCheckNanos);
    young.add(process);
    triggers.watchFilesOf(pid);
  }

  /** What /proc says of a process; not of two images of which one replaced the other meanwhile. */
  private ProcCapture read(int pid) {
    ProcCapture capture;
    int attempts = READ_ATTEMPTS;
    Identity before;
    do {
      before = Identity.of(procFs.readIdentity(pid));
      capture = procFs.read(pid);
    } while (!before.equals(Identity.of(capture)) && --attempts > 0);
    return capture;
  }

  /** Null if it vanished, or may not be seen. */
  private @Nullable Watched add(int pid, ProcCapture capture, int pidFd) {
    ProcStat stat = stat(capture);
    if (stat == null) {
      if (pidFd != Watched.NONE) {
        RawFiles.close(pidFd);
        openPidFds--;
      }
      return null;
    }
    Watched process = new Watched(pid, stat.startTicks(), pidFd, Identity.of(capture), looks);
    known.put(pid, process);
    if (pidFd != Watched.NONE) {
      epoll.add(pidFd, Epoll.IN | Epoll.EDGE, pid);
    }
    if (looks == 1) {
      triggers.watchFilesOf(pid);
    }
    return process;
  }

  private int openPidFd(int pid) {
    int pidFd = openPidFds < maxPidFds ? pidFds.open(pid) : Watched.NONE;
    if (pidFd < 0) {
      return Watched.NONE;
    }
    openPidFds++;
    return pidFd;
  }

  private void closePidFd(Watched process) {
    if (process.pidFd != Watched.NONE) {
      RawFiles.close(process.pidFd);
      process.pidFd = Watched.NONE;
      openPidFds--;
    }
  }

  /** True if it is not young any more. */
  private boolean checkYoung(Watched process, long nowNanos) {
    if (process.ended || process.told) {
      return true;
    }
    if (nowNanos >= process.nextCheckNanos) {
      compare(process);
      process.checks++;
      if (process.checks >= CHECK_NANOS.length) {
        old.add(process);
        return true;
      }
      process.nextCheckNanos = nowNanos + CHECK_NANOS[process.checks];
    }
    nextCheckNanos = Math.min(nextCheckNanos, process.nextCheckNanos);
    return false;
  }

  private void checkOld() {
    for (int i = Math.min(OLD_CHECKS, old.size()); i > 0; i--) {
      Watched process = old.remove();
      if (!process.ended && !process.told) {
        compare(process);
        old.add(process);
      }
    }
  }

  /** Tells of an exec if there was one since it was looked at last. */
  private void compare(Watched process) {
    ProcCapture capture = procFs.readIdentity(process.pid);
    ProcStat stat = stat(capture);
    if (stat == null || stat.startTicks() != process.startTicks || stat.isDead()) {
      return;
    }
    Identity identity = Identity.of(capture);
    if (identity.isUnsettled()) {
      return;
    }
    if (process.identity.executedBefore(identity)) {
      ProcCapture whole = procFs.read(process.pid);
      if (!Identity.of(whole).equals(identity)) {
        return; // in the midst of it
      }
      news = true;
      told.tell(new ProcessEvent.Exec(System.nanoTime(), process.pid, process.pid, whole));
      process.checks = 0;
    }
    process.identity = identity;
  }

  private void tellEnd(Watched process, long nanos, @Nullable Integer status, boolean exact) {
    process.ended = true;
    process.told = true;
    process.endNanos = nanos;
    closePidFd(process);
    news = true;
    told.tell(new ProcessEvent.Gone(nanos, process.pid, status, exact));
    if (exact) {
      long life = nanos - clock.monotonicNanos(process.startTicks);
      shortestLifeNanos = Math.min(shortestLifeNanos, Math.max(0, life));
    }
  }

  private static @Nullable ProcStat stat(ProcCapture capture) {
    Bytes text = capture.get(ProcFile.STAT);
    return text == null ? null : ProcStat.parse(text);
  }
}
