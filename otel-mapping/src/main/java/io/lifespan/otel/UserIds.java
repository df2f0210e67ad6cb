package io.lifespan.otel;

/**
 * Who a process runs as.
 *
 * @param real the user who started it
 * @param effective the user whose rights it has
 */
record UserIds(long real, long effective) {}
