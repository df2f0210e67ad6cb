/**
 * Recordings of events with what was read from /proc beside them, as text: made where something odd
 * happens, played again in a test without root or Linux.
 */
@NullMarked
package io.lifespan.event.replay;

import org.jspecify.annotations.NullMarked;
