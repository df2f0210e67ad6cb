package io.lifespan.process;

import io.lifespan.event.EventKind;
import io.lifespan.event.ResourceUsage;
import io.lifespan.procfs.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link ProcessTable} knows of one process (thread group). Owned by the table's thread:
 * to be read in a {@link LifecycleListener}'s call only.
 */
public final class TrackedProcess {

  /** More life events than this are counted in {@link #lifeEventsDropped()}, not kept. */
  static final int MAX_LIFE_EVENTS = 32;

  final ProcessKey key;
  @Nullable ProcessKey parentKey;
  long startNanos;
  long startEpochNanos;
  Observed startObserved;
  Image image = Image.UNKNOWN;
  @Nullable Bytes comm;
  int execGeneration;
  int threads = 1;
  int peakThreads = 1;
  long forks;
  int liveChildren;
  boolean leaderExited;
  boolean affectedByLoss;
  @Nullable Integer adoptedByPid;
  long endNanos;
  @Nullable Observed endObserved;
  @Nullable WaitStatus status;

  /**
   * Thread events before this time are already counted in {@link #threads}: it was read from /proc
   * then.
   */
  long threadsReadNanos = Long.MIN_VALUE;

  /**
   * Threads that an exec ended and whose exits have not been told yet: the kernel may tell of them
   * after the exec, and after threads that were made since.
   */
  int exitsOwed;

  /**
   * Its start as /proc/PID/stat tells it; the key differs where a pid was used again within a tick.
   */
  final long procTicks;

  /** Pid of the process that made it, where no more is known of that one than its pid. */
  @Nullable Integer bareParentPid;

  /** The last comparison with /proc that found it alive. */
  int foundByScan;

  /** When its first thread exited; only if {@link #leaderExited}. */
  long leaderExitNanos;

  /** The status of its last thread to exit so far. */
  @Nullable WaitStatus lastThreadStatus;

  /** What it used, if that was told with its last exit. */
  @Nullable ResourceUsage usage;

  /** The most memory that it, or who it shared it with, had resident before its last exec. */
  long formerPeakBytes;

  /** Events lost by the table before it started. */
  long lossesBefore;

  /** The command line it was started with, where whoever started it told; null else. */
  @Nullable Bytes givenCommandLine;

  /** True once its end has been told to the listeners: it is not changed any more. */
  boolean told;

  private @Nullable List<LifeEvent> lifeEvents;
  private int lifeEventsDropped;
  private @Nullable Object attachment;

  TrackedProcess(
      ProcessKey key,
      long procTicks,
      long startNanos,
      long startEpochNanos,
      Observed startObserved) {
    this.key = key;
    this.procTicks = procTicks;
    this.startNanos = startNanos;
    this.startEpochNanos = startEpochNanos;
    this.startObserved = startObserved;
  }

  /** Its identity. */
  public ProcessKey key() {
    return key;
  }

  /**
   * Pid (tgid) of the process that made it; null if unknown. Who adopted it later is {@link
   * #adoptedByPid()}.
   */
  public @Nullable Integer parentPid() {
    return parentKey == null ? bareParentPid : (Integer) parentKey.pid();
  }

  /** Identity of the process that made it; null if unknown. */
  public @Nullable ProcessKey parentKey() {
    return parentKey;
  }

  /**
   * When it was made, in nanoseconds of CLOCK_MONOTONIC; negative if that was before this clock's
   * start (a restored container).
   */
  public long startNanos() {
    return startNanos;
  }

  /**
   * When it was made, in nanoseconds since the epoch. Fixed once known: steps of the wall clock do
   * not move it.
   */
  public long startEpochNanos() {
    return startEpochNanos;
  }

  /**
   * A time in its life as nanoseconds since the epoch, counted from {@link #startEpochNanos()}:
   * never before its start.
   */
  public long epochNanos(long monotonicNanos) {
    return startEpochNanos + Math.max(0, monotonicNanos - startNanos);
  }

  /** How its start became known. */
  public Observed startObserved() {
    return startObserved;
  }

  /** What it runs, or ran last. */
  public Image image() {
    return image;
  }

  /**
   * Its present name, raw bytes: changes with every exec and when it renames itself; null if
   * unknown.
   */
  public @Nullable Bytes comm() {
    return comm;
  }

  /**
   * How many times it has executed a program since it was made, as far as was seen. 0: it runs the
   * image of its parent.
   */
  public int execGeneration() {
    return execGeneration;
  }

  /** Threads alive. */
  public int threads() {
    return threads;
  }

  /** The most threads that were seen alive at a time. */
  public int peakThreads() {
    return peakThreads;
  }

  /** How many processes it has made (threads are not counted), as far as was seen. */
  public long forks() {
    return forks;
  }

  /** Processes it made that are alive. */
  public int liveChildren() {
    return liveChildren;
  }

  /** True if its first thread has exited; it lives on while another thread does. */
  public boolean leaderExited() {
    return leaderExited;
  }

  /** True if events were lost during its life, so that something of it may be missing. */
  public boolean affectedByLoss() {
    return affectedByLoss;
  }

  /**
   * Pid of who had adopted it by the time it ended; null if its own parent was still there, or
   * unknown.
   */
  public @Nullable Integer adoptedByPid() {
    return adoptedByPid;
  }

  /**
   * When it ended, in nanoseconds of CLOCK_MONOTONIC, never before its start; only once {@link
   * #endObserved()} is not null.
   */
  public long endNanos() {
    return endNanos;
  }

  /** When it ended, in nanoseconds since the epoch; see {@link #endNanos()}. */
  public long endEpochNanos() {
    return epochNanos(endNanos);
  }

  /** How its end became known; null while it lives. */
  public @Nullable Observed endObserved() {
    return endObserved;
  }

  /** How it ended; null while it lives and if its end was not seen. */
  public @Nullable WaitStatus status() {
    return status;
  }

  /** What it used in its life; null while it lives, and where no source tells it. */
  public @Nullable ResourceUsage usage() {
    return usage;
  }

  /**
   * The most memory that the program it ran last had resident at a time, in bytes; null if unknown,
   * as where it never took more than what ran before it in this process, which the kernel does not
   * tell apart.
   */
  public @Nullable Long peakBytes() {
    return usage == null || usage.peakBytes() <= formerPeakBytes ? null : (Long) usage.peakBytes();
  }

  /** What happened in its life, oldest first; bounded. */
  public List<LifeEvent> lifeEvents() {
    return lifeEvents == null ? List.of() : lifeEvents;
  }

  /** How many life events were not kept. */
  public int lifeEventsDropped() {
    return lifeEventsDropped;
  }

  /** What a listener hung on this process, or null. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Hangs something of the listener's on this process, for as long as the table remembers it. */
  public void attach(Object object) {
    attachment = object;
  }

  /**
   * True if /proc/PID/stat with this start may be of this process: an event tells the tick only to
   * one.
   */
  boolean startedAt(long ticks) {
    return Math.abs(procTicks - ticks) <= 1;
  }

  /**
   * Takes back the exit of the first thread: it was part of an exec by another, which becomes the
   * first.
   */
  void dropLeaderExit() {
    if (leaderExited) {
      forgetLeaderExit();
      leaderExited = false;
    }
  }

  /** Strikes the exit of the first thread from the life events: it was part of the end. */
  void forgetLeaderExit() {
    if (lifeEvents != null) {
      lifeEvents.removeIf(event -> event.kind() == EventKind.EXIT);
    }
  }

  void addLifeEvent(LifeEvent event) {
    if (lifeEvents == null) {
      lifeEvents = new ArrayList<>(2);
    }
    if (lifeEvents.size() < MAX_LIFE_EVENTS) {
      lifeEvents.add(event);
    } else {
      lifeEventsDropped++;
    }
  }
}
