package io.lifespan.event.blocking;

import io.lifespan.procfs.MountPoint;

/**
 * Is told what blocks, while it does. Called from threads of this package, several at a time: must
 * neither block nor throw. Times are nanoseconds of CLOCK_MONOTONIC.
 */
public interface BlockingListener {

  /** Hears nothing. */
  BlockingListener NONE = new BlockingListener() {};

  /** A call of this program's own is blocked; told again each time its age has doubled. */
  default void callBlocked(BlockedCall call, long nowNanos) {}

  /** A call that was told as blocked has returned. */
  default void callReturned(BlockedCall call, long nowNanos) {}

  /** A mount was found, or came back from behind another. */
  default void mountAppeared(MountPoint mount) {}

  /** A mount is gone or hidden by another; {@code last} is how it fared. */
  default void mountGone(MountHealth last, boolean hidden) {}

  /** A mount's state has changed. */
  default void mountChanged(MountChange change) {}

  /** A probe of a mount has returned, with a value or an error. */
  default void mountProbed(MountPoint mount, long tookNanos) {}

  /** A thread of another process is blocked; told again each time its age has doubled. */
  default void taskBlocked(BlockedTask task, long nowNanos) {}

  /** A thread that was blocked, told or not, runs again or is gone. */
  default void taskReleased(BlockedTask task, long nowNanos) {}

  /**
   * The calls of some processes may not be read, for want of CAP_SYS_PTRACE: of those only state D
   * shows. Told once.
   */
  default void callsHidden() {}

  /** A process has stalled. */
  default void stalled(Stall stall, long nowNanos) {}

  /** A process that had stalled goes on, or is gone. */
  default void stallEnded(Stall stall, long nowNanos) {}
}
