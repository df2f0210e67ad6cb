package io.lifespan.event.blocking;

/**
 * A change of a mount's state.
 *
 * @param from its state before
 * @param to how it fares now
 * @param lostNanos of a recovery, how long it was stuck this time; 0 else
 * @param nowNanos when it was found, in nanoseconds of CLOCK_MONOTONIC
 */
public record MountChange(MountState from, MountHealth to, long lostNanos, long nowNanos) {

  /** True if it was stuck and answers again. */
  public boolean isRecovery() {
    return from == MountState.STUCK;
  }
}
