package io.lifespan.event.blocking;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells of each call that is blocked when it has been so for long, again each time its age has
 * doubled, and when it has returned. Not thread-safe.
 */
final class OverdueCalls {

  private final long reportAfterNanos;
  private final BlockingListener listener;

  /** The age at which each is told of next. */
  private final Map<BlockedCall, Long> nextAge = new HashMap<>();

  OverdueCalls(long reportAfterNanos, BlockingListener listener) {
    this.reportAfterNanos = reportAfterNanos;
    this.listener = listener;
  }

  /** Takes all calls that are outstanding at this moment. */
  void update(Iterable<BlockedCall> outstanding, long nowNanos) {
    Set<BlockedCall> there = new HashSet<>();
    for (BlockedCall call : outstanding) {
      long age = call.ageNanos(nowNanos);
      if (age >= reportAfterNanos) {
        there.add(call);
        long next = nextAge.getOrDefault(call, reportAfterNanos);
        if (age >= next) {
          listener.callBlocked(call, nowNanos);
          nextAge.put(call, age * 2);
        }
      }
    }
    nextAge
        .keySet()
        .removeIf(
            call -> {
              boolean returned = !there.contains(call);
              if (returned) {
                listener.callReturned(call, nowNanos);
              }
              return returned;
            });
  }
}
