/**
 * What every event source speaks: {@link io.lifespan.event.ProcessEvent}s in, statistics and causes
 * of unavailability beside them.
 */
@NullMarked
package io.lifespan.event;

import org.jspecify.annotations.NullMarked;
