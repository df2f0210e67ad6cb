/** The pid cache: events in, the life of each process out. */
@NullMarked
package io.lifespan.process;

import org.jspecify.annotations.NullMarked;
