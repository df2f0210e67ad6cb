package io.lifespan.process;

/** How a fact about a process became known. */
public enum Observed {
  /** The kernel said so when it happened: exact. */
  EVENT,
  /**
   * Found in /proc afterwards: the start time is exact to a clock tick, an end only no later than
   * the time given.
   */
  PROC,
  /** Concluded after a loss of events: no later than the time given. */
  INFERRED,
  /** It has not happened: the process was alive when the watch ended. Of ends only. */
  NOT_YET
}
