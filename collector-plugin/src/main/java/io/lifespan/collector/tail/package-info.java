/** How {@code lifespan tail} shows events: one a line, for people or for programs. */
@NullMarked
package io.lifespan.collector.tail;

import org.jspecify.annotations.NullMarked;
