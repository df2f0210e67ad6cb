package io.lifespan.collector.tail;

import io.lifespan.collector.tree.CommandText;
import io.lifespan.process.WaitStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event as {@code tail} shows it.
 *
 * @param epochNanos when it happened, in nanoseconds since the epoch
 * @param kind what happened, by the name that settings use; {@code loss} for events that were lost
 * @param pid the process; null for a loss
 * @param thread the thread, if it is not the process's first; else null
 * @param parentPid the process that made it; null if unknown
 * @param command what it runs; null if unknown
 * @param status how it ended, of exits
 * @param details what else there is to say, by name
 */
record EventView(
    long epochNanos,
    String kind,
    @Nullable Integer pid,
    @Nullable Integer thread,
    @Nullable Integer parentPid,
    @Nullable CommandText command,
    @Nullable WaitStatus status,
    Map<String, Long> details) {}
