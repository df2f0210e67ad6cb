package io.lifespan.event.blocking;

/**
 * A process in which one thread is blocked while every other waits for a lock: as when a runtime
 * makes a blocking call with its big lock held.
 *
 * @param blocked the thread that is blocked
 * @param waiters how many others wait in futex()
 * @param sinceNanos when all were first seen so, in nanoseconds of CLOCK_MONOTONIC
 */
public record Stall(BlockedTask blocked, int waiters, long sinceNanos) {}
