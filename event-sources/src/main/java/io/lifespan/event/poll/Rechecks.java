package io.lifespan.event.poll;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks again at processes that are known, for what they executed: soon and often while they are
 * young, then now and then.
 */
final class Rechecks {

  /** After how long a young process is looked at again. */
  private static final long[] CHECK_NANOS = {
    1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000, 300_000_000, 1_000_000_000
  };

  /** How many old ones are looked at again with each look. */
  private static final int OLD_CHECKS = 8;

  private static final int MAX_YOUNG_HASTENED = 200;

  private final ProcFsReader procFs;
  private final Told told;
  private final List<Watched> young = new ArrayList<>();
  private final ArrayDeque<Watched> old = new ArrayDeque<>();
  private long nextNanos = Long.MAX_VALUE;

  Rechecks(ProcFsReader procFs, Told told) {
    this.procFs = procFs;
    this.told = told;
  }

  /** When {@link #checkYoung(long)} has something to do; {@link Long#MAX_VALUE} if never. */
  long nextNanos() {
    return nextNanos;
  }

  /** Takes processes that were there before anybody looked. */
  void addOld(Collection<Watched> processes) {
    old.addAll(processes);
  }

  /** Takes a process that was just found. */
  void addYoung(Watched process, long nowNanos) {
    process.nextCheckNanos = nowNanos + CHECK_NANOS[0];
    nextNanos = Math.min(nextNanos, process.nextCheckNanos);
    young.add(process);
  }

  /** Something was executed: the young are to be looked at again. */
  void hasten(long nowNanos) {
    if (!young.isEmpty() && young.size() <= MAX_YOUNG_HASTENED) {
      for (Watched each : young) {
        each.nextCheckNanos = nowNanos;
      }
      nextNanos = nowNanos;
    }
  }

  /** Looks again at the young that are due. */
  void checkYoung(long nowNanos) {
    nextNanos = Long.MAX_VALUE;
    young.removeIf(each -> checkYoung(each, nowNanos));
  }

  /** Looks again at some of the old; returns whether one had executed something. */
  boolean checkOld() {
    boolean news = false;
    for (int i = Math.min(OLD_CHECKS, old.size()); i > 0; i--) {
      Watched process = old.remove();
      if (!process.ended && !process.told) {
        news |= compare(process);
        old.add(process);
      }
    }
    return news;
  }

  /** True if it is not young any more. */
  private boolean checkYoung(Watched process, long nowNanos) {
    if (process.ended || process.told) {
      return true;
    }
    if (nowNanos >= process.nextCheckNanos) {
      if (compare(process)) {
        process.checks = 0;
      }
      process.checks++;
      if (process.checks >= CHECK_NANOS.length) {
        old.add(process);
        return true;
      }
      process.nextCheckNanos = nowNanos + CHECK_NANOS[process.checks];
    }
    nextNanos = Math.min(nextNanos, process.nextCheckNanos);
    return false;
  }

  /** Tells of an exec if there was one since it was looked at last; returns whether it did. */
  private boolean compare(Watched process) {
    ProcCapture capture = procFs.readIdentity(process.pid);
    ProcStat stat = stat(capture);
    if (stat == null || stat.startTicks() != process.startTicks || stat.isDead()) {
      return false;
    }
    Identity identity = Identity.of(capture);
    if (identity.isUnsettled()) {
      return false;
    }
    boolean executed = process.identity.executedBefore(identity);
    if (executed) {
      ProcCapture whole = procFs.read(process.pid);
      if (!Identity.of(whole).equals(identity)) {
        return false; // in the midst of it
      }
      told.tell(new ProcessEvent.Exec(System.nanoTime(), process.pid, process.pid, whole));
    }
    process.identity = identity;
    return executed;
  }

  private static @Nullable ProcStat stat(ProcCapture capture) {
    Bytes text = capture.get(ProcFile.STAT);
    return text == null ? null : ProcStat.parse(text);
  }
}
