package io.lifespan.process;

/**
 * The identity of a process for as long as the machine is up: its pid alone is used again, the pair
 * is not.
 *
 * @param pid the process id (tgid) in the namespace that the source sees
 * @param startTicks when it started, in clock ticks since boot (CLOCK_BOOTTIME, rounded down), as
 *     field 22 of /proc/PID/stat says
 */
public record ProcessKey(int pid, long startTicks) {}
