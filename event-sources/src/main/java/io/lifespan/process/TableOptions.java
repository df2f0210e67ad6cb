package io.lifespan.process;

import java.time.Duration;

/**
 * What a {@link ProcessTable} follows and how long it remembers.
 *
 * @param scope whether every process is followed or only the descendants of adopted roots
 * @param wholeLives true if every fork, exec and exit is delivered; else what is seen of a process
 *     may be its exit alone, and what it ran is known as far as /proc told before
 * @param settle how long the end of a process is held back for events that come out of order
 * @param grace how long an ended process is remembered, so that late events and children still find
 *     it
 * @param maxRemembered how many ended processes are remembered at most
 */
public record TableOptions(
    Scope scope, boolean wholeLives, Duration settle, Duration grace, int maxRemembered) {

  /** Which processes are followed. */
  public enum Scope {
    /** Every process that events or /proc show. */
    NODE,
    /**
     * Those given to {@link ProcessTable#adoptRoot} and their descendants; events of others are
     * counted and dropped.
     */
    SUBTREE
  }

  /**
   * Whole lives in a scope, ends held back for 50 ms, at most 100,000 ended processes remembered
   * for 2 s.
   */
  public static TableOptions of(Scope scope) {
    return new TableOptions(scope, true, Duration.ofMillis(50), Duration.ofSeconds(2), 100_000);
  }

  /** The same, with another {@link #wholeLives}. */
  public TableOptions withWholeLives(boolean value) {
    return new TableOptions(scope, value, settle, grace, maxRemembered);
  }
}
