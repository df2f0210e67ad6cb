package io.lifespan.event;

import org.jspecify.annotations.Nullable;

/**
 * What a process used from its start to its end, its threads included, as the kernel had added it
 * up when its last thread exited. Children are not included. Times are right to one tick of the
 * scheduler (1 to 4 ms): what the process ran since the last is not yet added.
 *
 * @param userNanos nanoseconds on a CPU in the process's own code, divided as wait4(2) does: the
 *     sum is measured, the parts are in the proportion in which clock ticks fell
 * @param systemNanos the same in the kernel
 * @param peakBytes the most memory resident at a time, ru_maxrss: of every program that it ran, and
 *     of the process that it was made by, where it shared that one's memory until its exec
 * @param minorFaults pages that were mapped without reading from storage
 * @param majorFaults pages that had to be read
 * @param voluntarySwitches how often it gave up its CPU to wait
 * @param involuntarySwitches how often its CPU was taken from it
 * @param readBytes bytes read from storage; null if the kernel does not count them
 * @param writtenBytes bytes that it caused to be written to storage; null as before
 * @param runDelayNanos how long it was ready to run and had no CPU; null where unknown, as of a
 *     process that had several threads
 * @param blockDelayNanos how long it waited for storage; null where unknown, as without the
 *     kernel's delay accounting (sysctl kernel.task_delayacct)
 */
public record ResourceUsage(
    long userNanos,
    long systemNanos,
    long peakBytes,
    long minorFaults,
    long majorFaults,
    long voluntarySwitches,
    long involuntarySwitches,
    @Nullable Long readBytes,
    @Nullable Long writtenBytes,
    @Nullable Long runDelayNanos,
    @Nullable Long blockDelayNanos) {

  /** The part of a measured time that belongs to one of two kinds of clock ticks. */
  public static long share(long measuredNanos, long ofKind, long ofOther) {
    if (ofKind <= 0) {
      return 0;
    }
    return ofOther <= 0
        ? measuredNanos
        : Math.round(measuredNanos * ((double) ofKind / ((double) ofKind + ofOther)));
  }
}
