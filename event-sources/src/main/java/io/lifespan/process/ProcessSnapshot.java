package io.lifespan.process;

import io.lifespan.procfs.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What was known of a process alive at one moment. Immutable: may be passed between threads.
 *
 * @param key its identity
 * @param parentPid pid of the process that made it; null if unknown
 * @param parentKey identity of the process that made it; null if unknown. That process may have
 *     ended
 * @param comm its name, raw bytes; null if unknown
 * @param image what it runs
 * @param execGeneration how many programs it has executed, as far as was seen
 * @param threads threads alive
 * @param forks processes it made, as far as was seen
 * @param liveChildren of those, how many are alive
 * @param startEpochNanos when it was made, in nanoseconds since the epoch
 * @param startObserved how its start became known
 */
public record ProcessSnapshot(
    ProcessKey key,
    @Nullable Integer parentPid,
    @Nullable ProcessKey parentKey,
    @Nullable Bytes comm,
    Image image,
    int execGeneration,
    int threads,
    long forks,
    int liveChildren,
    long startEpochNanos,
    Observed startObserved) {

  static ProcessSnapshot of(TrackedProcess process) {
    return new ProcessSnapshot(
        process.key(),
        process.parentPid(),
        process.parentKey(),
        process.comm(),
        process.image(),
        process.execGeneration(),
        process.threads(),
        process.forks(),
        process.liveChildren(),
        process.startEpochNanos(),
        process.startObserved());
  }
}
