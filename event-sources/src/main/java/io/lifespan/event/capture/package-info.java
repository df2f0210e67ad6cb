/** Reading of a live process from /proc, in as few system calls as can be. */
@NullMarked
package io.lifespan.event.capture;

import org.jspecify.annotations.NullMarked;
