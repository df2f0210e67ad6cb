/**
 * Processes found by looking into /proc, where the kernel tells of nothing: without privileges, in
 * whatever pid namespace this process is.
 */
@NullMarked
package io.lifespan.event.poll;

import org.jspecify.annotations.NullMarked;
