package io.lifespan.event.poll;

import io.lifespan.event.EventSelection;
import io.lifespan.process.KernelClock;
import java.time.Duration;

/**
 * What a {@link PollSource} is to do.
 *
 * @param selection the events wanted; of its kinds fork, exec and exit can be had
 * @param interval how long it rests between two looks at most, while nothing happens
 * @param share how much of one processor the looking may take
 * @param clock tells when processes began
 */
public record PollOptions(
    EventSelection selection, Duration interval, double share, KernelClock clock) {

  /** One second. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);

  /** A twentieth. */
  public static final double DEFAULT_SHARE = 0.05;

  /** A look each second, more often while processes start, for a twentieth of a processor. */
  public static PollOptions defaults(EventSelection selection, KernelClock clock) {
    return new PollOptions(selection, DEFAULT_INTERVAL, DEFAULT_SHARE, clock);
  }
}
