package io.lifespan.process;

import io.lifespan.event.EventKind;
import io.lifespan.procfs.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened within the life of a process, between its start and its end.
 *
 * @param timeNanos when, in nanoseconds of CLOCK_MONOTONIC; {@link TrackedProcess#epochNanos} makes
 *     it a date
 * @param kind what: EXEC, UID, GID, SID, PTRACE, COMM, COREDUMP; EXIT is the exit of the first
 *     thread while others lived on
 * @param formerName the name it had before: raw bytes, of EXEC and COMM; else null
 * @param first the new real id of UID and GID; the tracer's pid of PTRACE (0: detached); the raw
 *     status of EXIT
 * @param second the new effective id of UID and GID
 */
public record LifeEvent(
    long timeNanos, EventKind kind, @Nullable Bytes formerName, int first, int second) {}
