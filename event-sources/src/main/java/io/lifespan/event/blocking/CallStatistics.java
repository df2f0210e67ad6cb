package io.lifespan.event.blocking;

import io.lifespan.procfs.MountPoint;
import org.jspecify.annotations.Nullable;

/**
 * How long calls took that have returned.
 *
 * @param mount where; null for paths where no mount is listed
 * @param kind which call
 * @param latencies their durations
 */
public record CallStatistics(@Nullable MountPoint mount, CallKind kind, Latencies latencies) {}
