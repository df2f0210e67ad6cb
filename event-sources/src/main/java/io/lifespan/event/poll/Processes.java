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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every process that /proc shows. New ones are found by a look; their ends are told by a pidfd;
 * that they executed something shows when they are looked at again ({@link Rechecks}).
 */
final class Processes implements AutoCloseable {

  /** How long a process that has ended may wait to be reaped before its end is told without how. */
  private static final long REAP_NANOS = 1_000_000_000;

  private static final int READ_ATTEMPTS = 3;

  private final ProcFsReader procFs;
  private final Epoll epoll;
  private final Triggers triggers;
  private final Told told;
  private final KernelClock clock;
  private final int maxPidFds;
  private final PidFd pidFds = new PidFd();
  private final Map<Integer, Watched> known = new HashMap<>();
  private final Rechecks rechecks;
  private final List<Watched> unreaped = new ArrayList<>();
  private int openPidFds;
  private int looks;
  private boolean news;
  private long nextReapNanos = Long.MAX_VALUE;
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
    rechecks = new Rechecks(procFs, told);
  }

  /** Takes what is alive by now as known. */
  void populate() {
    looks++;
    procFs.list(pid -> add(pid, procFs.readIdentity(pid), openPidFd(pid)));
    rechecks.addOld(known.values());
  }

  /** When {@link #check} has something to do. */
  long nextCheckNanos() {
    return Math.min(nextReapNanos, rechecks.nextNanos());
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
    return rechecks.checkOld() || news;
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
          nextReapNanos = Math.min(nextReapNanos, process.endNanos + REAP_NANOS);
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
    rechecks.hasten(nowNanos);
  }

  /** Looks again at what is due. */
  void check(long nowNanos) {
    rechecks.checkYoung(nowNanos);
    nextReapNanos = Long.MAX_VALUE;
    for (Iterator<Watched> all = unreaped.iterator(); all.hasNext(); ) {
      Watched each = all.next();
      if (nowNanos - each.endNanos >= REAP_NANOS) {
        all.remove();
        tellEnd(each, each.endNanos, null, true);
      } else {
        nextReapNanos = Math.min(nextReapNanos, each.endNanos + REAP_NANOS);
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
    rechecks.addYoung(process, nowNanos);
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
      close(pidFd);
      return null;
    }
    if (pidFd != Watched.NONE && epoll.add(pidFd, Epoll.IN | Epoll.EDGE, pid) < 0) {
      // No more can be waited at: the end of this one is found by a look.
      close(pidFd);
      pidFd = Watched.NONE;
    }
    Watched process = new Watched(pid, stat.startTicks(), pidFd, Identity.of(capture), looks);
    known.put(pid, process);
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
    close(process.pidFd);
    process.pidFd = Watched.NONE;
  }

  private void close(int pidFd) {
    if (pidFd != Watched.NONE) {
      RawFiles.close(pidFd);
      openPidFds--;
    }
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
