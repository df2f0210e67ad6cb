package io.lifespan.collector;

import io.lifespan.event.ProcessEvent;

/** Takes the events that a {@link Pipeline} carries, all on one thread. Does not throw. */
interface EventConsumer {

  /** Takes one event, in the order in which it came. */
  void apply(ProcessEvent event);

  /**
   * Is called after each batch of events, and several times a second when there are none.
   *
   * @param nowNanos the time, in nanoseconds of CLOCK_MONOTONIC
   */
  void tick(long nowNanos);
}
