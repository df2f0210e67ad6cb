package io.lifespan.event.connector;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;

/** Which messages are wanted, as each place that can filter asks it. */
final class WantedEvents {

  private final EventSelection selection;
  private final boolean threadEvents;
  private final int mask;

  WantedEvents(EventSelection selection, boolean threadEvents) {
    this.selection = selection;
    this.threadEvents = threadEvents;
    int kinds = 0;
    for (EventKind kind : selection.kinds()) {
      kinds |= whatOf(kind);
    }
    mask = kinds;
  }

  /** The bits of the kinds wanted, as they arrive. */
  int mask() {
    return mask;
  }

  /** The kernel's own filter: the same bits, but that of failed exits where only these count. */
  int kernelFilter() {
    return selection.failedExitsOnly()
        ? (mask & ~ProcEventFlyweight.WHAT_EXIT) | ProcEventFlyweight.WHAT_NONZERO_EXIT
        : mask;
  }

  boolean contains(EventKind kind) {
    return selection.kinds().contains(kind);
  }

  boolean failedExitsOnly() {
    return selection.failedExitsOnly();
  }

  boolean threadEvents() {
    return threadEvents;
  }

  /** True if the kind of a message is wanted: all that the kernel's own filter looks at. */
  boolean passesKernelFilter(ProcEventFlyweight message) {
    int what = message.what();
    return (what & mask) != 0
        && (what != ProcEventFlyweight.WHAT_EXIT
            || !selection.failedExitsOnly()
            || message.exitCode() != 0);
  }

  /** True if a message is wanted. */
  boolean test(ProcEventFlyweight message) {
    return passesKernelFilter(message) && (threadEvents || !message.isOfThread());
  }

  private static int whatOf(EventKind kind) {
    return switch (kind) {
      case FORK -> ProcEventFlyweight.WHAT_FORK;
      case EXEC -> ProcEventFlyweight.WHAT_EXEC;
      case UID -> ProcEventFlyweight.WHAT_UID;
      case GID -> ProcEventFlyweight.WHAT_GID;
      case SID -> ProcEventFlyweight.WHAT_SID;
      case PTRACE -> ProcEventFlyweight.WHAT_PTRACE;
      case COMM -> ProcEventFlyweight.WHAT_COMM;
      case COREDUMP -> ProcEventFlyweight.WHAT_COREDUMP;
      case EXIT -> ProcEventFlyweight.WHAT_EXIT;
    };
  }
}
