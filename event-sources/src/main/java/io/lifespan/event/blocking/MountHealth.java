package io.lifespan.event.blocking;

import io.lifespan.libc.Errno;
import io.lifespan.procfs.MountPoint;
import org.jspecify.annotations.Nullable;

/**
 * How a mount fares, as its probes show.
 *
 * @param mount the mount
 * @param state its state
 * @param sinceNanos since when, in nanoseconds of CLOCK_MONOTONIC; for stuck and late ones, when
 *     the call was made that holds it
 * @param errno what it answers, of a failing one; null else
 * @param lastProbeNanos how long the last probe that returned took, in nanoseconds; null before it
 * @param lostNanos the time that probes were stuck in all, up to the last recovery
 */
public record MountHealth(
    MountPoint mount,
    MountState state,
    long sinceNanos,
    @Nullable Errno errno,
    @Nullable Long lastProbeNanos,
    long lostNanos) {}
