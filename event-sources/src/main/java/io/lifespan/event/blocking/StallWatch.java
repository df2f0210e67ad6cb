package io.lifespan.event.blocking;

import io.lifespan.procfs.TaskSyscall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds processes of which one thread is blocked while all others wait in futex(). From outside any
 * lock looks alike, and so does a pool of threads without work: what is told is what is seen.
 */
final class StallWatch {

  private final TaskFiles files;
  private final FileSyscalls syscalls;
  private final long reportAfterNanos;
  private final BlockingListener listener;
  private final Map<Integer, Suspicion> byPid = new HashMap<>();

  private record Suspicion(Stall stall, boolean told) {}

  StallWatch(
      TaskFiles files, FileSyscalls syscalls, long reportAfterNanos, BlockingListener listener) {
    this.files = files;
    this.syscalls = syscalls;
    this.reportAfterNanos = reportAfterNanos;
    this.listener = listener;
  }

  /** Looks at the siblings of every thread that is blocked. */
  void look(List<BlockedTask> blocked, long nowNanos) {
    Map<Integer, BlockedTask> oldest = new HashMap<>();
    Set<Integer> blockedTids = new HashSet<>();
    for (BlockedTask task : blocked) {
      blockedTids.add(task.tid());
      oldest.merge(
          task.pid(), task, (one, two) -> one.sinceNanos() <= two.sinceNanos() ? one : two);
    }
    for (BlockedTask task : oldest.values()) {
      int waiters = waiters(task.pid(), blockedTids);
      Suspicion before = byPid.remove(task.pid());
      boolean same = before != null && before.stall().blocked().equals(task);
      if (!same && before != null) {
        end(before, nowNanos);
      }
      if (waiters > 0) {
        long since = same && before != null ? before.stall().sinceNanos() : nowNanos;
        boolean told = same && before != null && before.told();
        judge(new Stall(task, waiters, since), told, nowNanos);
      } else if (same && before != null) {
        end(before, nowNanos);
      }
    }
    byPid
        .entrySet()
        .removeIf(
            entry -> {
              boolean over = !oldest.containsKey(entry.getKey());
              if (over) {
                end(entry.getValue(), nowNanos);
              }
              return over;
            });
  }

  /** The processes that are stalled at this moment. */
  List<Stall> stalled() {
    return byPid.values().stream().filter(Suspicion::told).map(Suspicion::stall).toList();
  }

  private void judge(Stall stall, boolean told, long nowNanos) {
    boolean tell = !told && nowNanos - stall.sinceNanos() >= reportAfterNanos;
    byPid.put(stall.blocked().pid(), new Suspicion(stall, told || tell));
    if (tell) {
      listener.stalled(stall, nowNanos);
    }
  }

  private void end(Suspicion suspicion, long nowNanos) {
    if (suspicion.told()) {
      listener.stallEnded(suspicion.stall(), nowNanos);
    }
  }

  /** How many threads wait in futex(); 0 if any that is not blocked does something else. */
  private int waiters(int pid, Set<Integer> blockedTids) {
    int waiters = 0;
    for (int tid : files.threads(pid)) {
      if (!blockedTids.contains(tid)) {
        if (!inFutex(files.syscall(pid, tid))) {
          return 0;
        }
        waiters++;
      }
    }
    return waiters;
  }

  private boolean inFutex(@Nullable TaskSyscall call) {
    Long number = call == null ? null : call.number();
    return number != null && syscalls.isFutex(number);
  }
}
