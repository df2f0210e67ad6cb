package io.lifespan.process;

import io.lifespan.event.ProcessEvent;
import org.jspecify.annotations.Nullable;

/**
 * Is told of the life of processes by a {@link ProcessTable}, on the thread that owns the table.
 * The processes handed over are the table's own: read them during the call, keep nothing of them
 * but what was read.
 */
public interface LifecycleListener {

  /**
   * A process became known: it was made, or was found alive.
   *
   * @param parent the one that made it, if it is known; may have ended already
   */
  default void started(TrackedProcess process, @Nullable TrackedProcess parent) {}

  /**
   * The event that a process was made came after it had been found alive: {@link
   * TrackedProcess#startObserved()} is EVENT now, its start exact.
   *
   * @param parent the one that made it, if it is known; may have ended already
   */
  default void startConfirmed(TrackedProcess process, @Nullable TrackedProcess parent) {}

  /** A process executed a program: {@link TrackedProcess#image()} is the new one. */
  default void executed(TrackedProcess process) {}

  /**
   * Something happened within the life of a process: its ids, its session or its name changed, a
   * tracer came or went, a core dump began.
   */
  default void changed(TrackedProcess process, LifeEvent event) {}

  /**
   * A process ended, all of its threads: everything about it is known now that ever will be. This
   * one a listener may keep, to read it on the same thread later; children whose forks come late
   * still count.
   */
  default void ended(TrackedProcess process) {}

  /** Events were lost; what the table knows is being repaired from /proc. */
  default void eventsLost(ProcessEvent.Loss loss) {}
}
