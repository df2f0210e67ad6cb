/** The program: commands, wiring, and the pipeline from event sources to telemetry. */
@NullMarked
package io.lifespan.collector;

import org.jspecify.annotations.NullMarked;
