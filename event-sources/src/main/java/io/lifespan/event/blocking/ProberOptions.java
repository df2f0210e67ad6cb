package io.lifespan.event.blocking;

import java.time.Duration;

/**
 * How mounts are probed.
 *
 * @param interval how long after a probe the next one of the same mount begins
 * @param slowAfter a probe that takes this long makes a mount slow, even before it returns
 * @param stuckAfter a probe that has not returned for this long makes a mount stuck
 * @param filter which mounts are probed
 */
public record ProberOptions(
    Duration interval, Duration slowAfter, Duration stuckAfter, MountFilter filter) {

  /** Every 10 s; slow from 100 ms on, stuck from 2 s on; all but pseudo file systems. */
  public static final ProberOptions DEFAULTS =
      new ProberOptions(
          Duration.ofSeconds(10),
          Duration.ofMillis(100),
          Duration.ofSeconds(2),
          MountFilter.DEFAULT);
}
