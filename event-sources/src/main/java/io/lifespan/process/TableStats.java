package io.lifespan.process;

/**
 * Counters of a {@link ProcessTable}. At all times {@code started = ended + alive + lost}.
 *
 * @param started processes that became known
 * @param ended processes whose end was seen, by event or in /proc
 * @param alive processes alive now
 * @param lost processes that were found to have vanished: their end was not seen, only concluded
 * @param threadsAlive threads of the processes alive
 * @param hits events that found their process
 * @param misses events whose process was not known
 * @param outOfScope events of processes that are not followed
 * @param late events that came after the end of their process had been told
 * @param pidReuses processes whose pid had been another's that the table still knew
 * @param evicted ended processes forgotten before their grace time, since there were too many
 * @param misread captures thrown away since they were of another process with the same pid
 * @param eventsLost events that the sources reported as lost
 * @param resyncs repairs from /proc
 */
public record TableStats(
    long started,
    long ended,
    long alive,
    long lost,
    long threadsAlive,
    long hits,
    long misses,
    long outOfScope,
    long late,
    long pidReuses,
    long evicted,
    long misread,
    long eventsLost,
    long resyncs) {}
