/**
 * Calls that may block for ever on a dead file system: made with a deadline, timed, and shown while
 * they block, whether this program made them or another did.
 */
@NullMarked
package io.lifespan.event.blocking;

import org.jspecify.annotations.NullMarked;
