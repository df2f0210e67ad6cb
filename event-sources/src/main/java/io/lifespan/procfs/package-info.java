/**
 * Pure parsers of what /proc says: bytes in, records out. They touch neither files nor the kernel.
 */
@NullMarked
package io.lifespan.procfs;

import org.jspecify.annotations.NullMarked;
