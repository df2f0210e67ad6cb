package io.lifespan.event.blocking;

import io.lifespan.libc.Clocks;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.TaskSyscall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds threads of other processes that are blocked in calls about files, or in uninterruptible
 * sleep, by reading /proc/PID/task/TID: all of them on an interval, those that were found again and
 * again until they run. It keeps to a share of one processor; {@link #hurry} lets it spend what it
 * has saved at once.
 *
 * <p>A thread that is found so twice without having run between, 50 ms or more apart, is blocked.
 */
public final class TaskSampler implements AutoCloseable {

  private static final long CONFIRM_NANOS = 50_000_000L;
  private static final long SAVED_NANOS = 200_000_000L;
  private static final long TICK_NANOS = 50_000_000L;

  /** Threads that have been blocked for long are looked at less often: a tenth of their age. */
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

  private static final int SETTLE_EVERY = 32;

  private final SamplerOptions options;
  private final BlockingListener listener;
  private final TaskFiles files = new TaskFiles();
  private final TaskPaths paths;
  private final @Nullable FileSyscalls syscalls;
  private final @Nullable StallWatch stalls;
  private final Clocks clocks = new Clocks();
  private final Map<Integer, WatchedTask> watched = new HashMap<>();
  private final int ownPid = (int) ProcessHandle.current().pid();
  private final Thread thread = new Thread(this::run, "lifespan-tasks");
  private volatile List<BlockedTask> blocked = List.of();
  private volatile List<Stall> stalled = List.of();
  private volatile boolean hurry;
  private volatile boolean closed;
  private volatile long sweeps;
  private volatile long cpuNanos;
  private volatile int denied;
  private @Nullable Long lastSweepNanos;
  private boolean deniedTold;

  /**
   * @param paths through which memory of other processes is read; stays the caller's
   * @param listener is told of what is blocked
   */
  public TaskSampler(TimedFiles paths, SamplerOptions options, BlockingListener listener) {
    this.options = options;
    this.listener = listener;
    this.paths = new TaskPaths(paths.desk(), files);
    this.syscalls = FileSyscalls.ofThisMachine();
    this.stalls =
        syscalls == null
            ? null
            : new StallWatch(files, syscalls, options.reportAfter().toNanos(), listener);
    thread.setDaemon(true);
  }

  /** Begins to look. */
  public void start() {
    thread.start();
  }

  /** Begins a look at all threads at once: a mount has been found late. */
  public void hurry() {
    hurry = true;
    LockSupport.unpark(thread);
  }

  /** The threads that are blocked at this moment. */
  public List<BlockedTask> blocked() {
    return blocked;
  }

  /** The processes that are stalled at this moment. */
  public List<Stall> stalled() {
    return stalled;
  }

  /** How often all threads were looked at. */
  public long sweeps() {
    return sweeps;
  }

  /** What the sampling has cost, in nanoseconds on a processor. */
  public long cpuNanos() {
    return cpuNanos;
  }

  /**
   * How often a file of a process could not be read for want of rights: without CAP_SYS_PTRACE,
   * calls of other users' processes are unknown, and only state D shows.
   */
  public int denied() {
    return denied;
  }

  /** Ends the looking. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    CpuBudget budget =
        new CpuBudget(options.cpuShare(), SAVED_NANOS, System.nanoTime(), clocks.threadCpuNanos());
    while (!closed) {
      long now = System.nanoTime();
      if (hurry || isSweepDue(budget, now)) {
        boolean hurried = hurry;
        hurry = false;
        sweep(budget, hurried, now);
      }
      lookAgain(System.nanoTime());
      pause(budget, !watched.isEmpty(), watched.isEmpty() ? untilNextSweep() : TICK_NANOS);
    }
  }

  /** Debts, as a look in a hurry makes, are paid before the next; they hold up no second look. */
  private boolean isSweepDue(CpuBudget budget, long now) {
    boolean due = lastSweepNanos == null || now - lastSweepNanos >= interval();
    return due && budget.settle(now, clocks.threadCpuNanos(), false) == 0;
  }

  private long interval() {
    return options.interval().toNanos();
  }

  private long untilNextSweep() {
    long due = lastSweepNanos == null ? 0 : lastSweepNanos + interval() - System.nanoTime();
    return Math.max(TICK_NANOS, due);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
  private void sweep(CpuBudget budget, boolean hurried, long startNanos) {
    int looked = 0;
    for (int pid : files.processes()) {
      if (closed) {
        return;
      }
      if (pid != ownPid) {
        look(pid);
      }
      if (++looked % SETTLE_EVERY == 0) {
        pause(budget, hurried || hurry, 0);
        lookAgain(System.nanoTime());
      }
    }
    lastSweepNanos = startNanos;
    sweeps = sweeps + 1;
  }

  private void look(int pid) {
    if (!files.hasThreads(pid)) {
      look(pid, pid);
      return;
    }
    for (int tid : files.threads(pid)) {
      look(pid, tid);
    }
  }

  private void look(int pid, int tid) {
    if (watched.containsKey(tid)) {
      return;
    }
    int deniedBefore = files.denied();
    TaskSyscall call = files.syscall(pid, tid);
    boolean mayNotAsk = files.denied() > deniedBefore;
    if (call == null && !mayNotAsk) {
      return;
    }
    Long number = call == null ? null : call.number();
    boolean inFamily = number != null && syscalls != null && syscalls.get(number) != null;
    if (!inFamily) {
      if (number != null && syscalls != null && syscalls.isIdle(number)) {
        return;
      }
      ProcStat stat = files.stat(pid, tid);
      if (stat == null || stat.state() != 'D' || stat.isKernelThread()) {
        return;
      }
    }
    long now = System.nanoTime();
    WatchedTask task =
        new WatchedTask(pid, tid, call, !inFamily, files.timesRun(pid, tid), now, lastSweepNanos);
    task.lookAgainAt(now + CONFIRM_NANOS);
    watched.put(tid, task);
  }

  private void lookAgain(long nowNanos) {
    if (watched.isEmpty()) {
      return;
    }
    boolean looked = false;
    for (Iterator<WatchedTask> all = watched.values().iterator(); all.hasNext(); ) {
      WatchedTask task = all.next();
      if (!task.isDue(nowNanos)) {
        continue;
      }
      looked = true;
      if (isStillBlocked(task)) {
        confirm(task, nowNanos);
      } else {
        all.remove();
        BlockedTask shown = task.shown();
        if (shown != null) {
          listener.taskReleased(shown, nowNanos);
        }
      }
    }
    if (looked) {
      List<BlockedTask> now = new ArrayList<>();
      for (WatchedTask task : watched.values()) {
        BlockedTask shown = task.shown();
        if (shown != null) {
          now.add(shown);
        }
      }
      blocked = List.copyOf(now);
      if (stalls != null) {
        stalls.look(now, nowNanos);
        stalled = stalls.stalled();
      }
    }
  }

  private boolean isStillBlocked(WatchedTask task) {
    TaskSyscall call = files.syscall(task.pid(), task.tid());
    if (!task.isSame(call, files.timesRun(task.pid(), task.tid()))) {
      return false;
    }
    if (task.isByState()) {
      ProcStat stat = files.stat(task.pid(), task.tid());
      return stat != null && stat.state() == 'D';
    }
    return true;
  }

  private void confirm(WatchedTask task, long nowNanos) {
    if (task.isToBeDescribed()) {
      BlockedTask shown = describe(task);
      if (shown == null) {
        task.lookAgainAt(nowNanos + LONGEST_PAUSE_NANOS);
        return;
      }
      task.show(shown, task.sinceNanos() + options.reportAfter().toNanos());
    }
    long age = nowNanos - task.sinceNanos();
    task.lookAgainAt(nowNanos + Math.min(LONGEST_PAUSE_NANOS, Math.max(TICK_NANOS, age / 10)));
    BlockedTask shown = task.shown();
    if (shown != null && task.takeReport(nowNanos)) {
      listener.taskBlocked(shown, nowNanos);
    }
  }

  /** All that is known of a thread that is blocked; null if it is gone, or waits for a FIFO. */
  private @Nullable BlockedTask describe(WatchedTask task) {
    int pid = task.pid();
    ProcStat thread = files.stat(pid, task.tid());
    ProcStat process = files.stat(pid, pid);
    if (thread == null || process == null) {
      return null;
    }
    String wchan = files.wchan(pid, task.tid());
    TaskSyscall arguments = task.syscall();
    Long number = arguments == null ? null : arguments.number();
    FileSyscalls.FileSyscall call =
        number == null || syscalls == null ? null : syscalls.get(number);
    if (call != null && call.opens() && "wait_for_partner".equals(wchan)) {
      return null;
    }
    Bytes path = call == null || arguments == null ? null : paths.path(pid, call, arguments);
    return new BlockedTask(
        pid,
        task.tid(),
        process.startTicks(),
        thread.comm(),
        files.link(pid, "exe"),
        call != null ? call.name() : number == null ? null : "syscall " + number,
        path,
        path == null ? null : paths.mount(pid, path),
        wchan,
        thread.state() == 'D',
        task.sinceNanos(),
        task.notBeforeNanos());
  }

  /** Single processes may be closed to anybody; only of a missing right something can be done. */
  private void tellHidden() {
    if (!files.mayTrace()) {
      listener.callsHidden();
    }
  }

  private void pause(CpuBudget budget, boolean hurried, long atLeastNanos) {
    long cpu = clocks.threadCpuNanos();
    cpuNanos = cpu;
    denied = files.denied();
    if (denied > 0 && !deniedTold) {
      deniedTold = true;
      tellHidden();
    }
    long wait = Math.max(budget.settle(System.nanoTime(), cpu, hurried), atLeastNanos);
    long end = System.nanoTime() + wait;
    while (!closed && !hurry && end - System.nanoTime() > 0) {
      LockSupport.parkNanos(this, end - System.nanoTime());
    }
  }
}
