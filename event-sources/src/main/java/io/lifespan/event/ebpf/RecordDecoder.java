package io.lifespan.event.ebpf;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.ResourceUsage;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.RecentBytes;
import io.lifespan.libc.PageSize;
import io.lifespan.process.KernelClock;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of records. /proc is asked only for what did not fit into a record, and for control
 * groups not seen before.
 */
final class RecordDecoder {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final ProcFsReader procFs;
  private final long nanosPerTick;
  private final KernelClock clock;
  private final long openedBootNanos;
  private final CgroupTexts cgroups;
  private final RecentBytes recent = new RecentBytes();
  private final ProcText text = new ProcText();
  private final PathWriter path = new PathWriter();

  /** True if events were lost: what others know may then come from /proc, threads included. */
  private boolean afterLoss;

  /**
   * @param openedNanos when the source was opened: of processes that are older, others may know how
   *     many threads they have
   */
  RecordDecoder(ProcFsReader procFs, KernelClock clock, long openedNanos) {
    this.procFs = procFs;
    this.clock = clock;
    nanosPerTick = NANOS_PER_SECOND / clock.ticksPerSecond();
    openedBootNanos = openedNanos + clock.monotonicToBootNanos();
    cgroups = new CgroupTexts(procFs);
  }

  /** Says that events were lost. */
  void lost() {
    afterLoss = true;
  }

  /** The event of a valid record. */
  ProcessEvent decode(RingRecord record) {
    int pid = record.tgid();
    long time = record.timeNanos();
    long ticks = record.startBootNanos() / nanosPerTick;
    return switch (record.kind()) {
      case RingRecord.FORK ->
          new ProcessEvent.Fork(
              time,
              record.parentPid(),
              record.parentTgid(),
              pid,
              pid,
              clock.ticks(time) == ticks
                  ? null
                  : new ProcCapture().with(ProcFile.STAT, text.stat(record, ticks)));
      case RingRecord.EXEC ->
          new ProcessEvent.Exec(
              time, pid, pid, executed(record, ticks), record.formerPeakPages() * PageSize.bytes());
      default ->
          new ProcessEvent.Exit(
              time,
              pid,
              pid,
              record.status(),
              record.exitSignal(),
              record.parentTgid(),
              record.parentTgid(),
              exited(record, ticks),
              record.has(RingRecord.USAGE) ? usage(record) : null);
    };
  }

  private static ResourceUsage usage(RingRecord record) {
    long user = record.userTicks();
    long system = record.systemTicks();
    long total = record.runtimeNanos();
    long inKernel = ResourceUsage.share(total, system, user);
    boolean io = record.knows(RingRecord.IO);
    return new ResourceUsage(
        total - inKernel,
        inKernel,
        record.peakPages() * PageSize.bytes(),
        record.minorFaults(),
        record.majorFaults(),
        record.voluntarySwitches(),
        record.involuntarySwitches(),
        io ? (Long) record.readBytes() : null,
        io ? (Long) record.writtenBytes() : null,
        record.knows(RingRecord.RUN_DELAY) ? (Long) record.runDelayNanos() : null,
        record.knows(RingRecord.BLOCK_DELAY) ? (Long) record.blockDelayNanos() : null);
  }

  private ProcCapture executed(RingRecord record, long ticks) {
    ProcCapture capture = new ProcCapture();
    byte[] bytes = record.bytes();
    int at = RingRecord.PAYLOAD;
    part(
        capture,
        ProcFile.CMDLINE,
        record.has(RingRecord.ARGS_CUT),
        bytes,
        at,
        record.argumentsLength());
    at += record.argumentsLength();
    part(
        capture,
        ProcFile.ENVIRON,
        record.has(RingRecord.ENV_CUT),
        bytes,
        at,
        record.environmentLength());
    at += record.environmentLength();
    link(
        capture,
        ProcFile.EXE,
        record.has(RingRecord.EXE_CUT),
        bytes,
        at,
        record.executableLength());
    at += record.executableLength();
    link(
        capture, ProcFile.CWD, record.has(RingRecord.CWD_CUT), bytes, at, record.directoryLength());
    capture.with(ProcFile.STAT, text.stat(record, ticks));
    identify(capture, record, ticks);
    return record.has(CUT) ? complete(capture, record.tgid(), ticks) : capture;
  }

  private static final int CUT =
      RingRecord.ARGS_CUT | RingRecord.ENV_CUT | RingRecord.EXE_CUT | RingRecord.CWD_CUT;

  private void part(
      ProcCapture capture, ProcFile file, boolean cut, byte[] bytes, int at, int length) {
    Bytes content = recent.of(bytes, at, length);
    if (cut) {
      capture.withBeginning(file, content);
    } else {
      capture.with(file, content);
    }
  }

  private void link(
      ProcCapture capture, ProcFile file, boolean cut, byte[] names, int at, int length) {
    if (cut) {
      capture.without(file, ProcCapture.GONE);
    } else {
      capture.with(file, recent.of(path.bytes(), 0, path.write(names, at, length)));
    }
  }

  /**
   * Takes from /proc what did not fit, if the process is still there and has executed nothing else.
   */
  private ProcCapture complete(ProcCapture capture, int pid, long ticks) {
    ProcCapture read = procFs.read(pid);
    Bytes statText = read.get(ProcFile.STAT);
    ProcStat stat = statText == null ? null : ProcStat.parse(statText);
    if (stat == null || stat.startTicks() != ticks) {
      return capture;
    }
    ProcCapture whole = new ProcCapture();
    for (ProcFile file : ProcFile.values()) {
      fill(whole, file, capture, read);
    }
    return whole;
  }

  private static void fill(
      ProcCapture whole, ProcFile file, ProcCapture capture, ProcCapture read) {
    Bytes told = capture.get(file);
    Bytes found = read.get(file);
    if (told != null && !capture.truncated(file)) {
      whole.with(file, told);
    } else if (found != null && (told == null || found.length() >= told.length())) {
      if (read.truncated(file)) {
        whole.withBeginning(file, found);
      } else {
        whole.with(file, found);
      }
    } else if (told != null) {
      whole.withBeginning(file, told);
    } else {
      whole.without(file, ProcCapture.GONE);
    }
  }

  private @Nullable ProcCapture exited(RingRecord record, long ticks) {
    if (record.has(RingRecord.FACTS)) {
      ProcCapture capture = new ProcCapture().with(ProcFile.STAT, text.deadStat(record, ticks));
      identify(capture, record, ticks);
      return capture;
    }
    boolean othersMayKnowThreads =
        afterLoss
            || !record.has(RingRecord.ENDED)
            || record.has(RingRecord.HAD_THREADS)
            || record.startBootNanos() < openedBootNanos;
    return othersMayKnowThreads
        ? new ProcCapture().with(ProcFile.STAT, text.deadStat(record, ticks))
        : null;
  }

  private void identify(ProcCapture capture, RingRecord record, long ticks) {
    int length = text.status(record);
    capture.with(ProcFile.STATUS, recent.of(text.bytes(), 0, length));
    Bytes cgroup = cgroups.of(record, ticks);
    if (cgroup == null) {
      capture.without(ProcFile.CGROUP, ProcCapture.GONE);
    } else {
      capture.with(ProcFile.CGROUP, cgroup);
    }
  }
}
