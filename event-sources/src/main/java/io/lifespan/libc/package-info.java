/** The few system calls that the sources need. The only package that knows jnr-ffi. */
@NullMarked
package io.lifespan.libc;

import org.jspecify.annotations.NullMarked;
